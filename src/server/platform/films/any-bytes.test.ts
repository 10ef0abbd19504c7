import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filmSample } from "../../../../tests/support/films/samples.ts";
import { box, filmFileOf, ftyp, u32, u64 } from "../../../../tests/support/films/mp4.ts";
import type { FilmFile } from "./film-file.ts";
import { probeFilm } from "./probe.ts";

describe("reading any bytes", () => {
  const names = [
    "moof",
    "traf",
    "tfhd",
    "tfdt",
    "trun",
    "mvex",
    "trex",
    "mdhd",
    "ftyp",
    "moov",
    "mdat",
    "free",
    "trak",
    "mdia",
    "minf",
    "stbl",
    "stsd",
    "stco",
    "co64",
    "hdlr",
    "mvhd",
    "tkhd",
  ];
  const size = fc.oneof(fc.nat(64), fc.constantFrom(0, 1, 7, 8, 0xffffffff), fc.nat());
  const { tree } = fc.letrec<{ tree: Buffer }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 8, depthSize: "medium" },
      fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(fc.constantFrom(...names), fc.array(tie("tree"), { maxLength: 4 })).map(([type, inner]) => box(type, ...inner)),
      fc
        .tuple(size, fc.constantFrom(...names), tie("tree"))
        .map(([lie, type, inner]) => Buffer.concat([u32(lie), Buffer.from(type), inner])),
      fc
        .tuple(fc.maxSafeNat(), fc.constantFrom(...names), tie("tree"))
        .map(([lie, type, inner]) => Buffer.concat([u32(1), Buffer.from(type), u64(lie), inner])),
    ),
  }));

  it("never fails for a tree of boxes, and reads each byte at most a few times", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { maxLength: 6 }), async (trees) => {
        const file = filmFileOf(Buffer.concat([ftyp, ...trees]));
        let asked = 0;
        const counting: FilmFile = {
          ...file,
          read: (at, length) => {
            asked += length;
            return file.read(at, length);
          },
        };
        const { facts } = await probeFilm(counting, "video/mp4");
        expect(facts.container).toBe("mp4");
        expect(asked).toBeLessThanOrEqual(4 * file.size + 100);
      }),
      { numRuns: 500 },
    );
  });

  it("never fails for a good film with some bytes changed", async () => {
    const good = [
      await filmSample("h264-aac-late.mp4"),
      await filmSample("h264-fragmented.mp4"),
      await filmSample("vp9-opus.webm"),
      await filmSample("recorded.mp4"),
    ];
    const change = fc.tuple(fc.nat(), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.nat(3), fc.array(change, { minLength: 1, maxLength: 6 }), async (which, changes) => {
        const bytes = Buffer.from(good[which]!);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        for (const type of ["video/mp4", "video/webm"]) await probeFilm(filmFileOf(bytes), type);
      }),
      { numRuns: 1000 },
    );
  });
});
