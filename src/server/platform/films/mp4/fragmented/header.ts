import { boxesIn, childOf, type Box } from "../boxes.ts";
import { box, u32, u64 } from "./write-box.ts";

/** A stretch of the film from one sync sample of its picture to the next fragment's, in the picture's units. */
export interface Reference {
  bytes: number;
  duration: number;
}

const ftyp = box("ftyp", Buffer.from("iso6", "latin1"), u32(512), Buffer.from("iso6iso5mp41", "latin1"));

/**
 * Returns what stands in front of the fragments: `moov` with these tracks and no samples (ISO/IEC 14496-12, section 8.8.1), and where each
 * fragment begins (`sidx`, section 8.16.3), which is stated for every track by its picture's times. `firstTime` is when the first picture is displayed.
 */
export function filmHeader(
  bytes: Buffer,
  moov: Box,
  traks: { box: Box; id: number }[],
  picture: { perSecond: number; firstTime: number },
  references: Reference[],
): Buffer {
  const defaults = traks.map(({ id }) => box("trex", u32(0, id, 1, 0, 0, 0)));
  const header = childOf(bytes, moov, "mvhd");
  const index = box(
    "moov",
    ...(header ? [bytes.subarray(header.start, header.end)] : []),
    ...traks.map((trak) => withoutSamples(bytes, trak.box)),
    box("mvex", ...defaults),
  );
  // Each begins with a sync sample, which depends on no other.
  const entries = references.map((one) => u32(one.bytes, one.duration, 0x9000_0000));
  // Chromium reads every fragment on the way to a position in a track that has no table of its own.
  const tables = traks.map(({ id }, at) => {
    const offset = (traks.length - 1 - at) * tableBytes(references.length);
    const times = [u32(id, picture.perSecond), u64(picture.firstTime), u64(offset), u32(references.length)];
    return box("sidx", u32(0x0100_0000), ...times, ...entries);
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
