import type { Sample } from "./samples.ts";
import { box, u32, u64 } from "./write-box.ts";

/** The part of a track that is in a fragment. */
export interface TrackPart {
  id: number;
  /** When its first sample is decoded, in the track's units. */
  decodeTime: number;
  /** The duration of most samples. */
  usualDuration: number;
  /** Every sample of the whole track is a sync sample. */
  isAllSync: boolean;
  /** They follow each other in the fragment: Chromium jumps to wrong places where a track has two runs in one. */
  samples: Sample[];
}

/** Flags of samples (ISO/IEC 14496-12, section 8.8.3.1): one that depends on no other, and one that does. */
const syncFlags = 0x0200_0000;
const otherFlags = 0x0101_0000;

/**
 * Returns the header of a fragment that has the samples of each part, one part after the other: `moof` (section 8.8.4), and the beginning of
 * the `mdat` box that they follow.
 */
export function fragmentHeader(sequence: number, parts: TrackPart[]): Buffer {
  const length = moofOf(sequence, parts, 0).length;
  const samplesLength = parts.reduce((sum, part) => sum + lengthOfPart(part), 0);
  const mdat = [u32(8 + samplesLength), Buffer.from("mdat", "latin1")];
  return Buffer.concat([moofOf(sequence, parts, length + 8), ...mdat]);
}

/** Returns how many bytes the samples of a part have. */
export const lengthOfPart = ({ samples }: TrackPart): number => samples.reduce((sum, { size }) => sum + size, 0);

/** `offset` is where the samples begin, counted from the `moof`. */
function moofOf(sequence: number, parts: TrackPart[], offset: number): Buffer {
  let next = offset;
  const tracks = parts.map((part) => {
    // Offsets count from the `moof`; durations and flags hold unless the samples state their own.
    const header = box("tfhd", u32(0x02_0028, part.id, part.usualDuration, part.isAllSync ? syncFlags : otherFlags));
    const time = box("tfdt", u32(0x0100_0000), u64(part.decodeTime));
    const begin = next;
    next += lengthOfPart(part);
    return box("traf", header, time, trun(part, begin));
  });
  return box("moof", box("mfhd", u32(0, sequence)), ...tracks);
}

/** Returns a table of samples (section 8.8.8), which begin at `offset`. */
function trun({ samples, isAllSync, usualDuration }: TrackPart, offset: number): Buffer {
  const hasFlags = !isAllSync && samples.some(({ isSync }) => isSync);
  const hasDurations = samples.some(({ duration }) => duration !== usualDuration);
  const hasShifts = samples.some(({ shift }) => shift !== 0);
  const flags = 0x201 | (hasDurations ? 0x100 : 0) | (hasFlags ? 0x400 : 0) | (hasShifts ? 0x800 : 0);
  const numbers = [0x0100_0000 | flags, samples.length, offset];
  for (const { duration, size, shift, isSync } of samples) {
    if (hasDurations) numbers.push(duration);
    numbers.push(size);
    if (hasFlags) numbers.push(isSync ? syncFlags : otherFlags);
    if (hasShifts) numbers.push(shift);
  }
  return box("trun", u32(...numbers));
}
