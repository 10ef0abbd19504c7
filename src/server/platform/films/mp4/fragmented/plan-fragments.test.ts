import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filmSample } from "../../../../../../tests/support/films/samples.ts";
import { box, filmFileOf, ftyp, moov, trak, typesOf, u32, type TrackShape } from "../../../../../../tests/support/films/mp4.ts";
import {
  placesOf,
  repeatedFilm,
  samplesByFragments,
  samplesByTables,
} from "../../../../../../tests/support/films/mp4-samples.ts";
import { readLayout } from "../layout.ts";
import { planFragments, type Piece } from "./plan-fragments.ts";

async function planOf(film: Buffer): Promise<Piece[] | undefined> {
  const { box: found, bytes, movie } = (await readLayout(filmFileOf(film))).index!;
  return planFragments(bytes, { ...found, start: 0, contentStart: found.contentStart - found.start, end: bytes.length }, movie);
}

/** Returns a film in its fragmented layout, which it must have; checks that its tracks have the samples that they had. */
async function fragmented(film: Buffer): Promise<Buffer> {
  const pieces = await planOf(film);
  expect(pieces).toBeDefined();
  const result = Buffer.concat(pieces!.flatMap(({ head, start, end }) => [head, film.subarray(start, end)]));
  const before = samplesByTables(film);
  const after = samplesByFragments(result);
  expect(after.size).toBeGreaterThan(0);
  for (const [id, samples] of after) expect(samples, `track ${id}`).toEqual(before.get(id));
  return result;
}

/** A track of samples of 0.1 s at these places in the file, each a chunk. */
const track = (offsets: number[], more: Partial<TrackShape> = {}): TrackShape => ({
  offsets,
  sizes: offsets.map(() => 1),
  ...more,
});
const sound = { handler: "soun", entry: box("mp4a", Buffer.alloc(28)), id: 2 };
/** A film of two seconds by its header where it `endsEarly`, else of ten minutes. */
function filmOf(length: number, tracks: TrackShape[], { endsEarly = false } = {}): Buffer {
  const index = moov(tracks.map(trak));
  if (!endsEarly) index.writeUInt32BE(600_000, 32);
  return Buffer.concat([ftyp, box("mdat", Buffer.from(Array.from({ length }, (_none, at) => at % 256))), index]);
}
const start = ftyp.length + 8;
const every = (step: number, from: number, count: number): number[] =>
  Array.from({ length: count }, (_none, at) => start + from + step * at);

// FILE-16
describe("the fragmented layout of a film", () => {
  it.each(["h264-silent-late.mp4", "hevc-late.mp4", "one-minute.mp4"])("has every sample of %s, at its time", async (name) => {
    const film = await filmSample(name);
    const result = await fragmented(film);
    expect(samplesByFragments(result).size).toBe(samplesByTables(film).size);
    expect(typesOf(result).slice(0, 3)).toEqual(["ftyp", "moov", "sidx"]);
  });

  it("begins a fragment at a sync sample every four seconds, for each track", async () => {
    const syncs = box("stss", u32(0, 4, 1, 31, 61, 91));
    // Six seconds of the picture, then those of the sound, twice.
    const places = (from: number): number[] => [...every(1, from, 60), ...every(1, from + 120, 60)];
    const film = filmOf(240, [track(places(0), { extra: [syncs] }), track(places(60), sound)]);
    const result = await fragmented(film);
    const listed = placesOf(result, 1);
    expect(listed.map(({ seconds }) => seconds)).toEqual([0, 6]);
    expect(placesOf(result, 2)).toEqual(listed);
    for (const { offset } of listed) expect(result.toString("latin1", offset + 4, offset + 8)).toBe("moof");
  });

  it("lists the times of pictures that are displayed later than they are decoded", async () => {
    const shifts = box("ctts", u32(0, 2, 1, 300, 119, 200));
    const edits = box("edts", box("elst", u32(0, 1, 12_000, 200, 0x1_0000)));
    const film = filmOf(120, [track(every(1, 0, 120), { extra: [shifts], beside: [edits] })]);
    const places = placesOf(await fragmented(film), 1);
    expect(places.map(({ seconds }) => seconds)).toEqual([0.1, 4, 8]);
  });

  it("states the duration of each sample where they differ", async () => {
    const film = filmOf(120, [track(every(1, 0, 120), { durations: u32(0, 3, 50, 100, 1, 40, 69, 100) })]);
    await fragmented(film);
  });

  it("leaves out bytes of no picture or sound between two fragments", async () => {
    const film = filmOf(200, [track([...every(1, 0, 40), ...every(1, 100, 40)])]);
    const pieces = await planOf(film);
    expect(pieces!.map(({ start: from, end }) => end - from)).toEqual([0, 40, 40]);
  });

  it("has the samples of films whose sound follows the picture of each fragment", async () => {
    const size = fc.integer({ min: 1, max: 9 });
    const fragment = fc.record({
      count: fc.integer({ min: 40, max: 60 }),
      sizes: fc.tuple(size, size),
      gap: fc.nat(3),
    });
    const films = fc.array(fragment, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(films, fc.integer({ min: 1, max: 50 }), async (fragments, everySync) => {
        const shapes = [track([]), track([], sound)] as const;
        const syncs: number[] = [];
        let at = start;
        for (const { count, sizes, gap } of fragments) {
          for (let sample = 0; sample < 40; sample += everySync) syncs.push(shapes[0].offsets.length + sample + 1);
          for (const [index, shape] of shapes.entries()) {
            for (let sample = 0; sample < count; sample += 1) {
              shape.offsets.push(at);
              shape.sizes.push(sizes[index]!);
              at += sizes[index]!;
            }
            at += gap;
          }
        }
        shapes[0].extra = [box("stss", u32(0, syncs.length, ...syncs))];
        const result = await fragmented(filmOf(at - start, [...shapes]));
        expect(placesOf(result, 1)).toHaveLength(fragments.length);
      }),
    );
  });

  it("has a short header in front of every fragment of a film of two hours", async () => {
    const film = repeatedFilm(await filmSample("one-minute.mp4"), 120);
    const pieces = await planOf(film);
    expect(pieces!.length).toBeLessThan(2000);
    expect(Math.max(...pieces!.map(({ head }) => head.length))).toBeLessThan(30_000);
    await fragmented(film);
  });
});

describe("films without a fragmented layout", () => {
  const seconds = 120;
  const pictures = track(every(2, 0, seconds));
  const together = track(every(1, 0, seconds));
  const many = box("stss", u32(0, 2, 1, 31));
  const pause = 0xffff_ffff;
  const edits = (...numbers: number[]): Buffer[] => [box("edts", box("elst", u32(0, numbers.length / 3, ...numbers)))];
  it.each<[string, TrackShape[]]>([
    ["no picture", [track(every(1, 0, 40), sound)]],
    ["two pictures", [together, track(every(1, seconds, seconds), { id: 2 })]],
    ["a picture that does not begin with a sync sample", [{ ...together, extra: [box("stss", u32(0, 1, 2))] }]],
    ["sound behind the picture", [track(every(1, 0, seconds)), track(every(1, seconds, seconds), sound)]],
    ["samples out of order", [track(every(2, 0, seconds).toReversed())]],
    ["two samples of the same bytes", [track([start, start, start])]],
    ["samples of one size", [{ ...together, stsz: u32(0, 1, seconds) }]],
    ["more samples than chunks have", [{ ...together, stsz: u32(0, 0, seconds + 1, ...together.sizes, 1) }]],
    ["fewer durations than samples", [{ ...together, durations: u32(0, 1, seconds - 1, 100) }]],
    ["fewer shifts than samples", [{ ...together, extra: [many, box("ctts", u32(0, 1, seconds - 1, 100))] }]],
    ["a table of sync samples that is cut off", [{ ...together, extra: [box("stss", u32(0, 3, 1))] }]],
    ["a second description", [{ ...together, runs: u32(0, 2, 1, 1, 1, 40, 1, 2) }]],
    ["pictures that do not follow each other", [pictures]],
    ["sound that takes turns with the picture", [pictures, track(every(2, 1, seconds), sound)]],
    ["a beginning that is left out", [{ ...together, beside: edits(1000, 301, 0x1_0000) }]],
    ["a pause, then a beginning", [{ ...together, beside: edits(1000, pause, 0x1_0000, 1000, 200, 0x1_0000) }]],
    ["two edits", [{ ...together, beside: edits(1000, 0, 0x1_0000, 1000, 3000, 0x1_0000) }]],
    ["an edit of another speed", [{ ...together, beside: edits(1000, 0, 0x2_0000) }]],
    ["nothing but pauses", [{ ...together, beside: edits(1000, pause, 0x1_0000, 1000, pause, 0x1_0000) }]],
  ])("has none for %s", async (_what, tracks) => {
    expect(await planOf(filmOf(2 * seconds, tracks))).toBeUndefined();
  });

  it.each(["h264-aac-late.mp4", "h264-aac-fast.mp4", "h264-aac-late-mediabunny.mp4", "h264-aac-three-tracks-late.mp4"])(
    "has none for %s, whose sound takes turns with its picture",
    async (name) => expect(await planOf(await filmSample(name))).toBeUndefined(),
  );

  it("has none for a film that ends before its samples", async () => {
    expect(await planOf(filmOf(seconds, [together], { endsEarly: true }))).toBeUndefined();
  });

  it.each<[string, Buffer[]]>([
    ["no edits", []],
    ["a beginning", edits(1000, 200, 0x1_0000)],
  ])("has one for %s", async (_what, beside) => {
    await fragmented(filmOf(seconds, [{ ...together, beside }]));
  });
});
