import { boxesIn, childOf, type Box } from "../boxes.ts";
import { box, u32, u64 } from "./write-box.ts";

/** What is listed of a track: when its first sample is displayed, and how long it has samples in each fragment, in its units. */
export interface ListedTrack {
  trak: Box;
  id: number;
  perSecond: number;
  firstTime: number;
  durations: number[];
}

const ftyp = box("ftyp", Buffer.from("iso6", "latin1"), u32(512), Buffer.from("iso6iso5mp41", "latin1"));

/**
 * Returns what stands in front of the fragments, which have so many `bytes`: `moov` with these tracks and no samples (ISO/IEC 14496-12, section
 * 8.8.1), and for each track when its fragments begin, and where (`sidx`, section 8.16.3).
 */
export function filmHeader(film: Buffer, moov: Box, tracks: ListedTrack[], bytes: number[]): Buffer {
  const defaults = tracks.map(({ id }) => box("trex", u32(0, id, 1, 0, 0, 0)));
  const header = childOf(film, moov, "mvhd");
  const index = box(
    "moov",
    ...(header ? [film.subarray(header.start, header.end)] : []),
    ...tracks.map(({ trak }) => withoutSamples(film, trak)),
    box("mvex", ...defaults),
  );
  // Chromium reads every fragment on the way to a position in a track that has no table of its own.
  const tables = tracks.map(({ id, perSecond, firstTime, durations }, at) => {
    const offset = (tracks.length - 1 - at) * tableBytes(bytes.length);
    const start = [u32(id, perSecond), u64(firstTime), u64(offset), u32(bytes.length)];
    // Each begins with a sync sample, which depends on no other.
    const entries = bytes.map((length, fragment) => u32(length, durations[fragment]!, 0x9000_0000));
    return box("sidx", u32(0x0100_0000), ...start, ...entries);
  });
  return Buffer.concat([ftyp, index, ...tables]);
}

const tableBytes = (count: number): number => 40 + 12 * count;

/** The boxes that say how a track is to be read, besides its samples. */
const kept = new Set(["tkhd", "edts", "mdhd", "hdlr", "vmhd", "smhd", "nmhd", "dinf", "stsd"]);
const opened = new Set(["mdia", "minf", "stbl"]);

function withoutSamples(bytes: Buffer, { type, contentStart, end }: Box): Buffer {
  const inside = (boxesIn(bytes, contentStart, end) ?? []).flatMap((child) => {
    if (opened.has(child.type)) return [withoutSamples(bytes, child)];
    return kept.has(child.type) ? [bytes.subarray(child.start, child.end)] : [];
  });
  return box(type, ...inside, ...(type === "stbl" ? emptyTables : []));
}

const emptyTables = [box("stts", u32(0, 0)), box("stsc", u32(0, 0)), box("stsz", u32(0, 0, 0)), box("stco", u32(0, 0))];
