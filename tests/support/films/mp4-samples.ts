import { expect } from "vitest";
import { box, childrenOf, parse, u32 } from "./mp4.ts";

/** A sample as a player finds it; times in the track's units. */
export interface FoundSample {
  decodedAt: number;
  shownAt: number;
  isSync: boolean;
  /** One character each, which are compared much faster than a buffer. */
  bytes: string;
}

const repeated = (table: Buffer | undefined): number[] =>
  table === undefined
    ? []
    : Array.from({ length: table.readUInt32BE(4) }, (_none, at) =>
        Array.from({ length: table.readUInt32BE(8 + 8 * at) }, () => table.readInt32BE(12 + 8 * at)),
      ).flat();

/** The samples of each track of a film with an ordinary index, by its id. */
export function samplesByTables(film: Buffer): Map<number, FoundSample[]> {
  const tracks = childrenOf(film, "moov/trak").map((trak): [number, FoundSample[]] => {
    const stbl = childrenOf(trak, "mdia/minf/stbl")[0]!;
    const table = (type: string): Buffer | undefined => childrenOf(stbl, type)[0];
    const [stco, stsc, stsz, stss] = [table("stco")!, table("stsc")!, table("stsz")!, table("stss")];
    const syncs = stss && new Set(Array.from({ length: stss.readUInt32BE(4) }, (_none, at) => stss.readUInt32BE(8 + 4 * at)));
    const [durations, shifts] = [repeated(table("stts")), repeated(table("ctts"))];
    const samples: FoundSample[] = [];
    let decodedAt = 0;
    let run = 0;
    for (let chunk = 1; chunk <= stco.readUInt32BE(4); chunk += 1) {
      while (run + 1 < stsc.readUInt32BE(4) && stsc.readUInt32BE(8 + 12 * (run + 1)) <= chunk) run += 1;
      let offset = stco.readUInt32BE(4 + 4 * chunk);
      for (let left = stsc.readUInt32BE(12 + 12 * run); left > 0; left -= 1) {
        const at = samples.length;
        const size = stsz.readUInt32BE(4) || stsz.readUInt32BE(12 + 4 * at);
        const bytes = film.toString("latin1", offset, offset + size);
        const isSync = syncs === undefined || syncs.has(at + 1);
        samples.push({ decodedAt, shownAt: decodedAt + (shifts[at] ?? 0), isSync, bytes });
        decodedAt += durations[at]!;
        offset += size;
      }
    }
    return [childrenOf(trak, "tkhd")[0]!.readUInt32BE(12), samples];
  });
  return new Map(tracks);
}

/** The samples of each track of a film in fragments, by its id (ISO/IEC 14496-12, section 8.8). */
export function samplesByFragments(film: Buffer): Map<number, FoundSample[]> {
  const found = new Map<number, FoundSample[]>();
  let start = 0;
  for (const { type, content } of parse(film)) {
    if (type === "moof") for (const traf of childrenOf(content, "traf")) addSamples(found, film, start, traf);
    start += 8 + content.length;
  }
  return found;
}

function addSamples(found: Map<number, FoundSample[]>, film: Buffer, moofStart: number, traf: Buffer): void {
  const header = childrenOf(traf, "tfhd")[0]!;
  const [id, usualDuration, usualFlags] = [header.readUInt32BE(4), header.readUInt32BE(8), header.readUInt32BE(12)];
  let decodedAt = Number(childrenOf(traf, "tfdt")[0]!.readBigUInt64BE(4));
  const samples = found.get(id) ?? [];
  // Chromium takes one alone for the whole of the track's part.
  expect(childrenOf(traf, "trun")).toHaveLength(1);
  for (const run of childrenOf(traf, "trun")) {
    const flags = run.readUInt32BE(0);
    let offset = moofStart + run.readInt32BE(8);
    let at = 12;
    for (let sample = 0; sample < run.readUInt32BE(4); sample += 1) {
      const next = (): number => run.readInt32BE((at += 4) - 4);
      const duration = flags & 0x100 ? next() : usualDuration;
      const size = next();
      const own = flags & 0x400 ? next() : usualFlags;
      const shift = flags & 0x800 ? next() : 0;
      const bytes = film.toString("latin1", offset, offset + size);
      samples.push({ decodedAt, shownAt: decodedAt + shift, isSync: (own & 0x1_0000) === 0, bytes });
      decodedAt += duration;
      offset += size;
    }
  }
  found.set(id, samples);
}

/** What `sidx` says of a track: where each fragment begins in the file, and the seconds at which its first picture is displayed. */
export function placesOf(film: Buffer, id: number): { offset: number; seconds: number }[] {
  let end = 0;
  for (const { type, content } of parse(film)) {
    end += 8 + content.length;
    if (type !== "sidx" || content.readUInt32BE(4) !== id) continue;
    const perSecond = content.readUInt32BE(8);
    let [ticks, offset] = [Number(content.readBigUInt64BE(12)), end + Number(content.readBigUInt64BE(20))];
    return Array.from({ length: content.readUInt32BE(28) }, (_none, at) => {
      const place = { offset, seconds: ticks / perSecond };
      offset += content.readUInt32BE(32 + 12 * at);
      ticks += content.readUInt32BE(36 + 12 * at);
      return place;
    });
  }
  return [];
}

/**
 * A film that repeats one with a single track, a single edit and ordinary tables: its index has the same parts and a chunk for every sample, so
 * that 150 minutes of `one-minute.mp4` have one of 370 kB.
 */
export function repeatedFilm(film: Buffer, times: number, { isLate = true } = {}): Buffer {
  const once = [...samplesByTables(film).values()][0]!;
  const samples = Array.from({ length: times }, () => once).flat();
  const trak = childrenOf(film, "moov/trak")[0]!;
  const stbl = childrenOf(trak, "mdia/minf/stbl")[0]!;
  const lengthened = (type: string, content: Buffer, at: number): Buffer => {
    const longer = Buffer.from(content);
    longer.writeUInt32BE(content.readUInt32BE(at) * times, at);
    return box(type, longer);
  };
  const duration = repeated(childrenOf(stbl, "stts")[0])[0]!;
  const syncs = samples.flatMap(({ isSync }, at) => (isSync ? [at + 1] : []));
  const copied = (from: Buffer, path: string): Buffer => box(path.split("/").at(-1)!, childrenOf(from, path)[0]!);
  const index = (offset: number): Buffer => {
    let next = offset;
    const tables = box(
      "stbl",
      copied(stbl, "stsd"),
      box("stts", u32(0, 1, samples.length, duration)),
      box("ctts", u32(0, samples.length), ...samples.map(({ decodedAt, shownAt }) => u32(1, shownAt - decodedAt))),
      box("stss", u32(0, syncs.length), u32(...syncs)),
      box("stsc", u32(0, 1, 1, 1, 1)),
      box("stsz", u32(0, 0, samples.length), u32(...samples.map(({ bytes }) => bytes.length))),
      box("stco", u32(0, samples.length), u32(...samples.map(({ bytes }) => (next += bytes.length) - bytes.length))),
    );
    const media = box(
      "mdia",
      lengthened("mdhd", childrenOf(trak, "mdia/mdhd")[0]!, 16),
      copied(trak, "mdia/hdlr"),
      box("minf", copied(trak, "mdia/minf/vmhd"), copied(trak, "mdia/minf/dinf"), tables),
    );
    const header = lengthened("mvhd", childrenOf(film, "moov/mvhd")[0]!, 16);
    const edits = box("edts", lengthened("elst", childrenOf(trak, "edts/elst")[0]!, 8));
    return box("moov", header, box("trak", lengthened("tkhd", childrenOf(trak, "tkhd")[0]!, 20), edits, media));
  };
  const [type, bytes] = [
    copied(film, "ftyp"),
    box("mdat", Buffer.from(samples.map((sample) => sample.bytes).join(""), "latin1")),
  ];
  if (isLate) return Buffer.concat([type, bytes, index(type.length + 8)]);
  return Buffer.concat([type, index(type.length + index(0).length + 8), bytes]);
}
