// Over 250 lines: films of every shape, each with the fragments that it gets, or none.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filmSample } from "../../../../../../tests/support/films/samples.ts";
import {
  box,
  childrenOf,
  chunksOf,
  filmFileOf,
  ftyp,
  moov,
  rewrite,
  trak,
  typesOf,
  u32,
  type TrackShape,
} from "../../../../../../tests/support/films/mp4.ts";
import {
  placesOf,
  repeatedFilm,
  samplesByFragments,
  samplesByTables,
} from "../../../../../../tests/support/films/mp4-samples.ts";
import { lengthOfRanges } from "../../gather.ts";
import { readLayout } from "../layout.ts";
import { planFragments, type FragmentedFilm } from "./plan-fragments.ts";

const planOf = async (film: Buffer): Promise<FragmentedFilm | undefined> => planFragments(await readLayout(filmFileOf(film)));

/**
 * Returns a film in its fragmented layout, which it must have, and the file that it is made of; checks that the tracks of both have the samples
 * that they had.
 */
async function bothLayouts(film: Buffer): Promise<{ file: Buffer; result: Buffer }> {
  const plan = await planOf(film);
  expect(plan).toBeDefined();
  const file = rewrite(film, plan!);
  const result = Buffer.concat(plan!.pieces.flatMap(({ head, start, end }) => [head, file.subarray(start, end)]));
  const before = samplesByTables(film);
  expect(samplesByTables(file)).toEqual(before);
  const after = samplesByFragments(result);
  expect(after.size).toBeGreaterThan(0);
  for (const [id, samples] of after) expect(samples, `track ${id}`).toEqual(before.get(id));
  return { file, result };
}

const fragmented = async (film: Buffer): Promise<Buffer> => (await bothLayouts(film)).result;

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
  it.each([
    "h264-silent-late.mp4",
    "hevc-late.mp4",
    "one-minute.mp4",
    "h264-aac-late.mp4",
    "h264-aac-fast.mp4",
    "h264-aac-late-mediabunny.mp4",
    "h264-aac-three-tracks-late.mp4",
  ])("has every sample of %s, at its time", async (name) => {
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
    // Sound that is heard shortly before a picture is in its fragment.
    expect(placesOf(result, 2)).toEqual([listed[0], { ...listed[1]!, seconds: 5.7 }]);
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

  it("leaves out bytes of no sample", async () => {
    const film = filmOf(200, [track([...every(1, 0, 40), ...every(1, 100, 40)])]);
    const { file } = await bothLayouts(film);
    expect(file.length).toBeLessThan(film.length - 100);
    expect((await planOf(film))!.pieces.map(({ start: from, end }) => end - from)).toEqual([0, 40, 40]);
  });

  it("has the sound of each fragment in one piece in front of its picture", async () => {
    const film = filmOf(200, [track(every(2, 0, 80)), track(every(2, 1, 80), sound)]);
    const { file } = await bothLayouts(film);
    const bytes = (from: number, count: number): Buffer => Buffer.from(every(2, from, count).map((place) => film[place]!));
    // A quarter of a second of sound comes with the next picture.
    const [picture, sounds] = [bytes(0, 40).toString("hex"), bytes(1, 37).toString("hex")];
    expect(chunksOf(file).map(([first]) => first)).toEqual([picture, sounds]);
    expect(childrenOf(file, "mdat")[0]!.toString("hex")).toMatch(new RegExp(`^${sounds}${picture}`));
  });

  it("keeps chapters, tags and boxes behind the film, and drops free space", async () => {
    const pause = box("edts", box("elst", u32(0, 2, 1000, 0xffff_ffff, 0x1_0000, 1000, 0, 0x1_0000)));
    const text = { handler: "text", entry: box("text"), id: 3, durations: u32(0, 1, 3, 4000), stsz: u32(0, 1, 3) };
    const chapters = track(every(30, 2, 3), { ...text, beside: [pause] });
    const tracks = [track(every(2, 0, 80)), { ...sound, ...track(every(2, 1, 80), sound) }, chapters];
    const [before, after] = [box("uuid", Buffer.alloc(16, 1)), box("uuid", Buffer.alloc(16, 2))];
    const moved = tracks.map((one) => ({ ...one, offsets: one.offsets.map((offset) => offset + before.length) }));
    const tags = box("udta", Buffer.alloc(9, 7));
    const index = moov(moved.map(trak), tags);
    index.writeUInt32BE(600_000, 32);
    const free = box("free", Buffer.alloc(40));
    const film = Buffer.concat([ftyp, before, box("mdat", Buffer.alloc(200, 3)), free, index, after]);
    const { file, result } = await bothLayouts(film);
    expect(typesOf(file)).toEqual(["ftyp", "uuid", "moov", "mdat", "uuid"]);
    expect(file.indexOf(tags)).toBeGreaterThan(0);
    expect([...samplesByFragments(result).keys()]).toEqual([2, 1]);
  });

  it("has the samples of a film in any order of its chunks", async () => {
    const size = fc.integer({ min: 0, max: 9 });
    const kind = fc.record({ size, gap: fc.nat(3), track: fc.constantFrom(0, 1, 2, 3) });
    const films = fc.array(kind, { minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(films, fc.integer({ min: 1, max: 50 }), fc.boolean(), async (kinds, everySync, isBackwards) => {
        const shapes = [track([]), track([], sound), track([], { ...sound, id: 3 }), track([], { handler: "text", id: 4 })];
        shapes[0]!.offsets.push(start);
        shapes[0]!.sizes.push(1);
        let at = start + 1;
        for (const { size: bytes, gap, track: index } of kinds) {
          shapes[index]!.offsets.push(at);
          shapes[index]!.sizes.push(bytes);
          at += bytes + gap;
        }
        // A first chunk at the end of the film, and the last at its beginning.
        if (isBackwards) {
          for (const shape of shapes) {
            shape.offsets.reverse();
            shape.sizes.reverse();
          }
        }
        const syncs = shapes[0]!.offsets.flatMap((_offset, sample) => (sample % everySync === 0 ? [sample + 1] : []));
        shapes[0]!.extra = [box("stss", u32(0, syncs.length, ...syncs))];
        await fragmented(filmOf(at - start, shapes));
      }),
    );
  });

  it.each([
    ["co64", 215, 16],
    ["stco", 214, 8],
  ] as const)("states offsets as %s where %d fragments of 20 MB need them", async (type, count, headerBytes) => {
    const size = 20_000_000;
    const sizes = Array.from({ length: count }, () => size);
    const shape = { offsets: sizes.map((_size, at) => start + size * at), sizes, durations: u32(0, 1, count, 4000) };
    const index = moov([trak(shape)]);
    index.writeUInt32BE(4_000_000, 32);
    const { index: found } = await readLayout(filmFileOf(Buffer.concat([ftyp, index])));
    const film = { type: "mdat", start: ftyp.length, contentStart: start, end: start + size * count, isOpenEnded: false };
    const boxes = [{ ...film, type: "ftyp", start: 0, contentStart: 8, end: ftyp.length }, film, found!.box];
    const plan = planFragments({ boxes, index: found, isTruncated: false, isOdd: false, isCut: false })!;
    const table = childrenOf(plan.index.subarray(0, -headerBytes), `moov/trak/mdia/minf/stbl/${type}`)[0]!;
    const offsetAt = (at: number): number =>
      type === "stco" ? table.readUInt32BE(8 + 4 * at) : Number(table.readBigUInt64BE(8 + 8 * at));
    const filmStart = ftyp.length + plan.index.length;
    expect([offsetAt(0), offsetAt(count - 1)]).toEqual([filmStart, filmStart + size * (count - 1)]);
    expect(plan.index.toString("latin1").endsWith("mdat")).toBe(type === "stco");
    expect(lengthOfRanges(plan.fragments[0]!)).toBe(size);
  });

  it("has a short header in front of every fragment of a film of two hours", async () => {
    const film = repeatedFilm(await filmSample("one-minute.mp4"), 120);
    const { pieces } = (await planOf(film))!;
    expect(pieces.length).toBeLessThan(2000);
    expect(Math.max(...pieces.map(({ head }) => head.length))).toBeLessThan(30_000);
    await fragmented(film);
  });
});

describe("films without a fragmented layout", () => {
  const seconds = 120;
  const together = track(every(1, 0, seconds));
  const hasShifts = (count: number): Partial<TrackShape> => ({
    extra: [box("stss", u32(0, 1, 1)), box("ctts", u32(0, 1, count, 100))],
  });
  const many = box("stss", u32(0, 2, 1, 31));
  const pause = 0xffff_ffff;
  const edits = (...numbers: number[]): Buffer[] => [box("edts", box("elst", u32(0, numbers.length / 3, ...numbers)))];
  it.each<[string, TrackShape[]]>([
    ["no picture", [track(every(1, 0, 40), sound)]],
    ["two pictures", [together, track(every(1, seconds, seconds), { id: 2 })]],
    ["a picture that does not begin with a sync sample", [{ ...together, extra: [box("stss", u32(0, 1, 2))] }]],
    ["samples that are more than the film", [track(Array.from({ length: 2 * seconds + 1 }, () => start))]],
    [
      "one sync sample in 40 seconds",
      [track(every(1, 0, 2 * seconds), { ...hasShifts(2 * seconds), durations: u32(0, 1, 240, 200) })],
    ],
    ["four seconds without bytes", [{ ...together, sizes: together.offsets.map((_offset, at) => (at < 40 ? 0 : 1)) }]],
    ["a sample that ends behind the film", [track([...every(1, 0, 3), start + 2 * seconds - 1], { sizes: [1, 1, 1, 2] })]],
    ["more samples than chunks have", [{ ...together, stsz: u32(0, 0, seconds + 1, ...together.sizes, 1) }]],
    ["fewer durations than samples", [{ ...together, durations: u32(0, 1, seconds - 1, 100) }]],
    ["fewer shifts than samples", [{ ...together, extra: [many, box("ctts", u32(0, 1, seconds - 1, 100))] }]],
    ["a table of sync samples that is cut off", [{ ...together, extra: [box("stss", u32(0, 3, 1))] }]],
    ["a second description", [{ ...together, runs: u32(0, 2, 1, 1, 1, 40, 1, 2) }]],
    ["a beginning that is left out", [{ ...together, beside: edits(1000, 301, 0x1_0000) }]],
    ["a pause, then a beginning", [{ ...together, beside: edits(1000, pause, 0x1_0000, 1000, 200, 0x1_0000) }]],
    ["two edits", [{ ...together, beside: edits(1000, 0, 0x1_0000, 1000, 3000, 0x1_0000) }]],
    ["an edit of another speed", [{ ...together, beside: edits(1000, 0, 0x2_0000) }]],
    ["nothing but pauses", [{ ...together, beside: edits(1000, pause, 0x1_0000, 1000, pause, 0x1_0000) }]],
  ])("has none for %s", async (_what, tracks) => {
    expect(await planOf(filmOf(2 * seconds, tracks))).toBeUndefined();
  });

  it("has none for more samples in a fragment than a header can have", async () => {
    const count = 40_000;
    const shape = track(every(1, 0, count), { ...hasShifts(count), durations: u32(0, 1, count, 1) });
    expect(await planOf(filmOf(count, [shape]))).toBeUndefined();
  });

  it("has none for a film that ends before its samples", async () => {
    expect(await planOf(filmOf(seconds, [together], { endsEarly: true }))).toBeUndefined();
  });

  it.each<[string, TrackShape[]]>([
    ["no edits", [{ ...together, beside: [] }]],
    ["a beginning", [{ ...together, beside: edits(1000, 200, 0x1_0000) }]],
    ["sound behind the picture", [together, track(every(1, seconds, seconds), sound)]],
    ["samples out of order", [track(every(2, 0, seconds).toReversed())]],
    ["samples of one size", [{ ...together, stsz: u32(0, 1, seconds) }]],
    ["samples of the same bytes", [track(Array.from({ length: 2 * seconds }, () => start))]],
  ])("has one for %s", async (_what, tracks) => {
    await fragmented(filmOf(2 * seconds, tracks));
  });
});
