import { boxesIn, childOf, type Box } from "../boxes.ts";
import type { Movie, Track } from "../movie.ts";
import { filmHeader, type Reference } from "./header.ts";
import { fragmentHeader, type TrackPart } from "./moof.ts";
import { readSampleTables, samplesOf, type Sample, type SampleTables } from "./samples.ts";

/** Bytes that are written, and the range of the film's file that follows them. */
export interface Piece {
  head: Buffer;
  start: number;
  end: number;
}

/** Seconds of a fragment, which lasts longer where the next sync sample comes later. A long film has about so many of them. */
const fragmentSeconds = 4;
const usualFragments = 2000;
/** The most fragments, which are all looked through for each range that is sent. */
export const mostFragments = 4000;

/** The longest header of a fragment: a browser reads a whole one before a picture, and 256 kB take 0.2 s at 10 Mbit/s. */
const maxHeadBytes = 256 * 1024;
const maxAllHeadBytes = 32 * 1024 ** 2;
/** A fragment is shorter than 2 GB, as its offsets are. */
const maxFragmentBytes = 2 ** 30;

/** Seconds by which sound may stand before or behind its picture in the file. */
const maxApart = 2;

/** Seconds of a film that an edit may leave out at its beginning or end: a codec's own delay is shorter. */
const maxHidden = 0.2;

/**
 * Returns the fragmented layout of a film with an ordinary index (FILE-16): its header, then fragments, each a range of the film's own
 * bytes in their order, begun by a sync sample of its picture. `bytes` is the whole index as it stands in the file. Undefined for a film
 * with more than one picture, with edits that leave something out, with a second description of its samples, whose sound and picture stand
 * apart, or take turns within a fragment.
 */
export function planFragments(bytes: Buffer, moov: Box, movie: Movie): Piece[] | undefined {
  const readers = readersOf(bytes, moov, movie);
  const picture = readers?.find(({ track }) => track.kind === "video");
  if (readers === undefined || picture === undefined || picture.next?.isSync !== true) return undefined;
  const seconds = Math.max(fragmentSeconds, (movie.duration ?? 0) / usualFragments);
  const firstShift = picture.next.shift;
  if (readers.some((one) => secondsOf(one, one.beginsAt - (one.next?.shift ?? 0)) > maxHidden)) return undefined;
  const firstTime = Math.max(0, firstShift - picture.beginsAt);
  const pieces: Piece[] = [];
  const references: Reference[] = [];
  let allHeadBytes = 0;
  let begun = { offset: firstOffset(readers), time: 0, shownAt: firstTime };
  let position = begun.offset;

  const endFragment = (): boolean => {
    const parts = readers.flatMap(({ part }) => (part.samples.length > 0 ? [part] : []));
    if (position - begun.offset > maxFragmentBytes) return false;
    const head = fragmentHeader(pieces.length + 1, parts, begun.offset, position);
    allHeadBytes += head.length;
    if (head.length > maxHeadBytes || allHeadBytes > maxAllHeadBytes) return false;
    pieces.push({ head, start: begun.offset, end: position });
    const shownAt = Math.max(begun.shownAt, picture.time + (picture.next?.shift ?? firstShift) - picture.beginsAt);
    references.push({ bytes: head.length + position - begun.offset, duration: shownAt - begun.shownAt });
    begun = { offset: picture.next?.offset ?? position, time: picture.time, shownAt };
    for (const reader of readers) reader.part = { ...reader.part, decodeTime: reader.time, samples: [] };
    return true;
  };

  for (let reader = earliest(readers); reader !== undefined; reader = earliest(readers)) {
    const sample = reader.next as Sample;
    // Samples out of order, or that share bytes.
    if (sample.offset < position) return undefined;
    const isCut = reader === picture && sample.isSync && secondsOf(picture, picture.time - begun.time) >= seconds;
    if (isCut && (!endFragment() || !areTogether(readers, picture))) return undefined;
    const last = reader.part.samples.at(-1);
    if (last !== undefined && last.offset + last.size !== sample.offset) return undefined;
    position = sample.offset + sample.size;
    take(reader, sample);
  }
  if (movie.duration !== null && secondsOf(picture, picture.time - picture.beginsAt) > movie.duration + maxHidden)
    return undefined;
  if (readers.some(({ taken, tables }) => taken !== tables.count) || !endFragment() || pieces.length > mostFragments)
    return undefined;
  const traks = readers.map(({ trak, track }) => ({ box: trak, id: track.id }));
  const head = filmHeader(bytes, moov, traks, { perSecond: picture.track.perSecond, firstTime }, references);
  return [{ head, start: 0, end: 0 }, ...pieces];
}

interface Reader {
  track: Track;
  trak: Box;
  tables: SampleTables;
  samples: Iterator<Sample, undefined>;
  next: Sample | undefined;
  taken: number;
  /** When the next sample is decoded, and where the film begins (`elst`), in the track's units. */
  time: number;
  beginsAt: number;
  part: TrackPart;
}

/** Returns a reader of each picture and sound; undefined where one of them, or their number, is not ordinary. */
function readersOf(bytes: Buffer, moov: Box, movie: Movie): Reader[] | undefined {
  const traks = (boxesIn(bytes, moov.contentStart, moov.end) ?? []).filter(({ type }) => type === "trak");
  const readers: Reader[] = [];
  for (const [at, track] of movie.tracks.entries()) {
    const trak = traks[at];
    if (track.kind === "other" || trak === undefined) continue;
    const reader = readerOf(bytes, trak, track);
    if (reader === undefined) return undefined;
    readers.push(reader);
  }
  return readers.filter(({ track }) => track.kind === "video").length === 1 ? readers : undefined;
}

function readerOf(bytes: Buffer, trak: Box, track: Track): Reader | undefined {
  const path = ["mdia", "minf", "stbl"];
  const stbl = path.reduce<Box | undefined>((parent, type) => parent && childOf(bytes, parent, type), trak);
  const tables = stbl && readSampleTables(bytes, stbl);
  const beginsAt = beginningOf(bytes, trak);
  if (tables === undefined || beginsAt === undefined || track.perSecond === 0) return undefined;
  const samples = samplesOf(tables);
  const next = samples.next().value;
  const usualDuration = next?.duration ?? 0;
  const part = { id: track.id, decodeTime: 0, usualDuration, isAllSync: tables.syncs === undefined, samples: [] };
  return { track, trak, tables, samples, next, taken: 0, time: 0, beginsAt, part };
}

/** Returns the time of a track with which the film begins (`elst`, section 8.6.6); undefined for other edits, such as a pause. */
function beginningOf(bytes: Buffer, trak: Box): number | undefined {
  const edits = childOf(bytes, trak, "edts");
  const list = edits && childOf(bytes, edits, "elst");
  if (list === undefined) return 0;
  const isLong = bytes[list.contentStart] === 1;
  const entryBytes = isLong ? 20 : 12;
  const count = list.end - list.contentStart < 8 ? 0 : bytes.readUInt32BE(list.contentStart + 4);
  if (count > 1 || list.contentStart + 8 + count * entryBytes > list.end) return undefined;
  if (count === 0) return 0;
  const at = list.contentStart + 8 + (isLong ? 8 : 4);
  const isOrdinarySpeed = bytes.readInt32BE(at + (isLong ? 8 : 4)) === 0x1_0000;
  const time = isLong ? Number(bytes.readBigInt64BE(at)) : bytes.readInt32BE(at);
  return isOrdinarySpeed && time >= 0 ? time : undefined;
}

function earliest(readers: Reader[]): Reader | undefined {
  let found: Reader | undefined;
  for (const reader of readers) {
    if (reader.next !== undefined && reader.next.offset < (found?.next?.offset ?? Infinity)) found = reader;
  }
  return found;
}

const firstOffset = (readers: Reader[]): number => earliest(readers)?.next?.offset ?? 0;
const secondsOf = ({ track }: Reader, time: number): number => time / track.perSecond;

function areTogether(readers: Reader[], picture: Reader): boolean {
  const now = secondsOf(picture, picture.time);
  return readers.every((one) => one.next === undefined || Math.abs(secondsOf(one, one.time) - now) <= maxApart);
}

/** Adds a reader's next sample to the fragment. */
function take(reader: Reader, sample: Sample): void {
  reader.part.samples.push(sample);
  reader.taken += 1;
  reader.time += sample.duration;
  reader.next = reader.samples.next().value;
}
