// Over 250 lines: the layouts that a film can have, each with what becomes of it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filmSample } from "../../../../../tests/support/films/samples.ts";
import {
  avc1,
  box,
  chunksOf,
  filmFileOf,
  ftyp,
  longBox,
  moov,
  openBox,
  rewrite,
  trak,
  typesOf,
  u32,
  u64,
  type TrackShape,
} from "../../../../../tests/support/films/mp4.ts";
import type { FilmFile } from "../film-file.ts";
import { planFastStart, type FastStart } from "./fast-start.ts";
import { readLayout } from "./layout.ts";

const planOf = async (bytes: Buffer): Promise<FastStart | undefined> => planFastStart(await readLayout(filmFileOf(bytes)));

/** Rewrites a film that must be one to rewrite; checks that every chunk has the bytes it had. */
async function rewritten(bytes: Buffer): Promise<Buffer> {
  const plan = await planOf(bytes);
  expect(plan).toBeDefined();
  const result = rewrite(bytes, plan!);
  expect(chunksOf(result)).toEqual(chunksOf(bytes));
  expect(await planOf(result)).toBeUndefined();
  return result;
}

const payload = (length: number, seed = 1): Buffer => Buffer.from(Array.from({ length }, (_none, at) => (at * 7 + seed) % 256));
const start = ftyp.length + 8;
const shape = (more: Partial<TrackShape> = {}): TrackShape => ({ offsets: [start, start + 10], sizes: [10, 20], ...more });
const film = (...tracks: TrackShape[]): Buffer[] => [ftyp, box("mdat", payload(100)), moov(tracks.map(trak))];

// FILE-12
describe("putting the index in front", () => {
  it.each([
    "h264-aac-late.mp4",
    "h264-aac-late-mediabunny.mp4",
    "h264-silent-late.mp4",
    "h264-aac-three-tracks-late.mp4",
    "hevc-late.mp4",
    "sound-only.mp4",
  ])("keeps every chunk of %s", async (name) => {
    const types = typesOf(await rewritten(await filmSample(name)));
    expect(types.indexOf("moov")).toBeLessThan(types.indexOf("mdat"));
  });

  it("finds the same chunks as in the film that its writer put the index in front of", async () => {
    const [late, fast] = [await filmSample("h264-aac-late.mp4"), await filmSample("h264-aac-fast.mp4")];
    expect(chunksOf(await rewritten(late))).toEqual(chunksOf(fast));
  });

  it("keeps free boxes where they were, and moves the film by the length of the index", async () => {
    const late = start + 8;
    const index = moov([trak(shape({ offsets: [late], sizes: [30] }))]);
    const bytes = Buffer.concat([ftyp, box("free"), box("mdat", payload(100)), box("free", payload(9)), index]);
    expect(typesOf(await rewritten(bytes))).toEqual(["ftyp", "free", "moov", "mdat", "free"]);
  });

  it("moves only the bytes before an index between two mdat boxes", async () => {
    const first = box("mdat", payload(50));
    const length = moov([trak(shape({ offsets: [0, 0], sizes: [10, 20] }))]).length;
    const second = ftyp.length + first.length + length + 8;
    const index = moov([trak(shape({ offsets: [start, second], sizes: [10, 20] }))]);
    const bytes = Buffer.concat([ftyp, first, index, box("mdat", payload(50, 99))]);
    const result = await rewritten(bytes);
    expect(typesOf(result)).toEqual(["ftyp", "moov", "mdat", "mdat"]);
    expect(result.length).toBe(bytes.length);
  });

  it("keeps a last film that runs to the end of the file", async () => {
    const first = box("mdat", payload(50));
    const length = moov([trak(shape({ offsets: [0, 0] }))]).length;
    const second = ftyp.length + first.length + length + 8;
    const index = moov([trak(shape({ offsets: [start, second] }))]);
    await rewritten(Buffer.concat([ftyp, first, index, openBox("mdat", payload(50, 99))]));
  });

  it("closes an index that runs to the end of the file", async () => {
    const [, mdat, index] = film(shape()) as [Buffer, Buffer, Buffer];
    const open = openBox("moov", index.subarray(8));
    expect(typesOf(await rewritten(Buffer.concat([ftyp, mdat, open])))).toEqual(["ftyp", "moov", "mdat"]);
  });

  it("reads 64-bit sizes of film and index, and 64-bit offsets", async () => {
    const offsets = [start + 8, start + 18];
    const index = moov([trak(shape({ offsets, isWide: true }))]);
    const bytes = Buffer.concat([ftyp, longBox("mdat", payload(100)), longBox("moov", index.subarray(8))]);
    await rewritten(bytes);
  });

  it("moves the chunks of 64 tracks", async () => {
    const tracks = Array.from({ length: 64 }, (_none, at) => shape({ offsets: [start + at, start + 30 + at], sizes: [1, 1] }));
    expect(chunksOf(await rewritten(Buffer.concat(film(...tracks))))).toHaveLength(64);
  });

  it("moves a film whose tracks name no place of their samples", async () => {
    await rewritten(Buffer.concat(film(shape({ dref: Buffer.alloc(0) }))));
  });

  it("copies tags, chapters, times of B-frames, subtitles and timecodes byte by byte", async () => {
    const list = box("meta", u32(0), box("hdlr", u32(0, 0)), box("ilst", payload(30)));
    const tags = [box("udta", list, box("chpl", payload(20))), list];
    const tracks = (moved: number): Buffer[] =>
      [
        shape({ extra: [box("ctts", u32(0, 1, 2, 100)), box("stss", u32(0, 1, 1))] }),
        shape({ handler: "sbtl", entry: box("tx3g", payload(38)) }),
        shape({ handler: "tmcd", entry: box("tmcd", payload(26)) }),
      ].map((one) => trak({ ...one, offsets: one.offsets.map((offset) => offset + moved) }));
    const index = moov(tracks(0), ...tags);
    const plan = await planOf(Buffer.concat([ftyp, box("mdat", payload(100)), index]));
    expect(plan?.index.equals(moov(tracks(index.length), ...tags))).toBe(true);
  });

  it("moves a film in 16 pieces, and an empty chunk at its very end", async () => {
    const pieces = Array.from({ length: 16 }, (_none, at) => box("mdat", payload(100, at)));
    const end = ftyp.length + 16 * 108;
    const index = moov([trak(shape({ offsets: [start, end - 100, end], sizes: [10, 20, 0] }))]);
    await rewritten(Buffer.concat([ftyp, ...pieces, index]));
  });

  it("keeps the film of any layout", async () => {
    const layout = fc.record({
      before: fc.array(fc.constantFrom("free", "wide", "uuid"), { maxLength: 3 }),
      chunks: fc.array(fc.array(fc.nat(40), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 }),
      isWide: fc.boolean(),
      isLong: fc.boolean(),
      behind: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(layout, async ({ before, chunks, isWide, isLong, behind }) => {
        const head = Buffer.concat([ftyp, ...before.map((type, at) => box(type, payload(at)))]);
        let at = head.length + (isLong ? 16 : 8);
        const shapes = chunks.map((sizes): TrackShape => {
          const offsets = sizes.map((size) => (at += size) - size);
          return { offsets, sizes, isWide };
        });
        const bytes = payload(at - head.length);
        const index = moov(shapes.map(trak), box("udta", payload(behind)));
        await rewritten(Buffer.concat([head, (isLong ? longBox : box)("mdat", bytes), index, box("free", payload(behind))]));
      }),
    );
  });

  it("widens the tables whose offsets no longer fit in 32 bits", async () => {
    const filmSize = 0xffff_ffff - ftyp.length;
    const offsets = { low: [start + 8], high: [start + 8, 0xffff_ffff - 40] };
    const index = moov([trak(shape({ offsets: offsets.low, sizes: [1] })), trak(shape({ offsets: offsets.high }))]);
    const plan = planFastStart(await readLayout(bigFile(filmSize, index)));
    // The second table has two offsets of four bytes more each.
    const growth = index.length + 8;
    expect(plan!.index.length).toBe(growth);
    expect(plan!.index.readUInt32BE(0)).toBe(growth);
    const low = plan!.index.indexOf("stco") + 12;
    const high = plan!.index.indexOf("co64") + 12;
    expect(plan!.index.readUInt32BE(low)).toBe(start + 8 + growth);
    expect([plan!.index.readBigUInt64BE(high), plan!.index.readBigUInt64BE(high + 8)]).toEqual(
      offsets.high.map((offset) => BigInt(offset + growth)),
    );
    expect(plan!.after).toEqual([{ start: ftyp.length, end: ftyp.length + filmSize }]);
  });

  it("widens a table that fits only until another is widened", async () => {
    const filmSize = 0xffff_ffff - ftyp.length;
    const many = Array.from({ length: 1000 }, () => 0xffff_ffff - 40);
    const shapes = (edge: number): TrackShape[] => [
      shape({ offsets: many, sizes: [1] }),
      shape({ offsets: [edge], sizes: [1] }),
    ];
    const { length } = moov(shapes(0).map(trak));
    const index = moov(shapes(0xffff_ffff - length).map(trak));
    const plan = planFastStart(await readLayout(bigFile(filmSize, index)));
    expect(plan!.index.includes("stco")).toBe(false);
    expect(plan!.index.length).toBe(length + 1001 * 4);
  });

  it("widens no table whose last offset just fits, nor one of 64 bits", async () => {
    const filmSize = 0xffff_ffff - ftyp.length;
    for (const isWide of [false, true]) {
      const { length } = moov([trak(shape({ offsets: [0], sizes: [1], isWide }))]);
      const offset = 0xffff_ffff - (isWide ? 40 : length);
      const index = moov([trak(shape({ offsets: [offset], sizes: [1], isWide }))]);
      const moved = planFastStart(await readLayout(bigFile(filmSize, index)))!.index;
      expect([moved.length, moved.readUInt32BE(0)]).toEqual([length, length]);
    }
  });
});

/** A file with a film of gigabytes that are not there, its index behind it. */
function bigFile(filmSize: number, index: Buffer): FilmFile {
  const head = Buffer.concat([ftyp, u32(1), Buffer.from("mdat"), u64(filmSize)]);
  const indexStart = ftyp.length + filmSize;
  return {
    size: indexStart + index.length,
    read: (position, length) => {
      const from = position < indexStart ? head.subarray(position) : index.subarray(position - indexStart);
      return Promise.resolve(from.subarray(0, length));
    },
  };
}

describe("films that are left as they are", () => {
  const encrypted = Buffer.from(avc1);
  encrypted.write("encv", 4, "latin1");
  const elsewhere = box("url ", u32(0), Buffer.from("other.mp4"));
  const references = (...entries: Buffer[]): Buffer => box("dref", u32(0, entries.length), ...entries);
  it.each<[string, Buffer[]]>([
    ["an index in front", [ftyp, moov([trak(shape())]), box("mdat", payload(100))]],
    ["a fragmented film", [ftyp, box("mdat", payload(100)), moov([trak(shape())], box("mvex")), box("moof")]],
    ["fragments behind an ordinary index", [...film(shape()), box("moof")]],
    ["an index of segments", [box("sidx"), ...film(shape())]],
    [
      "a film that is cut off",
      [ftyp, box("mdat", payload(100)), moov([trak(shape())]), box("free", payload(9)).subarray(0, 12)],
    ],
    ["bytes behind the last box", [...film(shape()), payload(5)]],
    ["two indexes", [...film(shape()), moov([trak(shape())])]],
    ["an encrypted film", film(shape({ entry: encrypted }))],
    ["samples in another file", film(shape({ dref: references(elsewhere) }))],
    ["samples partly in another file", film(shape({ dref: references(box("url ", u32(1)), elsewhere) }))],
    ["a reference without its flags", film(shape({ dref: references(box("url "), box("url ", u32(1), Buffer.alloc(245))) }))],
    ["a chunk outside of the film", film(shape({ offsets: [2] }))],
    ["a chunk of the second track outside of the film", film(shape(), shape({ offsets: [2] }))],
    ["a film with one encrypted track", film(shape(), shape({ entry: encrypted }))],
    ["a film with one encrypted description of two", film(shape({ entry: Buffer.concat([avc1, encrypted]) }))],
    ["an index of fragments", [...film(shape()), box("mfra")]],
    ["a film in 17 pieces", [ftyp, ...Array.from({ length: 17 }, () => box("mdat", payload(100))), moov([trak(shape())])]],
    ["a chunk behind the end of the file", film(shape({ offsets: [100_000] }))],
    ["two tables of offsets", film(shape({ extra: [box("co64", u32(0, 0))] }))],
    ["offsets of auxiliary data", film(shape({ extra: [box("saio", u32(0, 0))] }))],
    ["offsets beside the media", film(shape({ beside: [box("saio", u32(0, 0))] }))],
    ["items with offsets", [ftyp, box("mdat", payload(100)), moov([trak(shape())], box("meta", u32(0), box("iloc")))]],
    ["an index without tracks", [ftyp, box("mdat", payload(100)), moov([])]],
    ["a compressed index", [ftyp, box("mdat", payload(100)), moov([trak(shape())], box("cmov"))]],
    ["65 tracks", film(...Array.from({ length: 65 }, () => shape()))],
  ])("leaves %s", async (_what, pieces) => {
    expect(await planOf(Buffer.concat(pieces))).toBeUndefined();
  });

  it.each([
    "h264-fragmented.mp4",
    "h264-aac-fragmented-mediabunny.mp4",
    "recorded.mp4",
    "h264-aac-encrypted.mp4",
    "h264-aac-fast.mp4",
  ])("leaves %s", async (name) => {
    expect(await planOf(await filmSample(name))).toBeUndefined();
  });

  it("leaves a film of more than 50,000 boxes", async () => {
    const others = (count: number): Buffer[] => Array.from({ length: count - film(shape()).length }, () => box("free"));
    expect(await planOf(Buffer.concat([...film(shape()), ...others(50_000)]))).toBeDefined();
    expect(await planOf(Buffer.concat([...film(shape()), ...others(50_001)]))).toBeUndefined();
  });

  it("leaves a truncated film unchanged, or keeps every chunk of it", async () => {
    const whole = await filmSample("h264-aac-late.mp4");
    for (let length = 0; length < whole.length; length += 1) {
      expect(await planOf(whole.subarray(0, length)), `${length} bytes`).toBeUndefined();
    }
  });

  it("leaves a corrupted film unchanged, or copies every byte except its index", async () => {
    const whole = await filmSample("h264-aac-three-tracks-late.mp4");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) bytes[at] = value;
          const plan = await planOf(bytes);
          if (plan === undefined) return;
          const kept = [plan.before, ...plan.after].reduce((sum, { start: from, end }) => sum + end - from, 0);
          const { box: moved } = (await readLayout(filmFileOf(bytes))).index!;
          expect(kept).toBe(bytes.length - (moved.end - moved.start));
        },
      ),
      { numRuns: 500 },
    );
  });
});
