import { boxesIn, childOf, type Box } from "../boxes.ts";
import type { Movie, Track } from "../movie.ts";
import type { TrackPart } from "./moof.ts";
import { readSampleTables, samplesOf, type Sample } from "./samples.ts";

/** A track that is read sample by sample. */
export interface TrackReader {
  track: Track;
  trak: Box;
  samples: Iterator<Sample, undefined>;
  next: Sample | undefined;
  /** How many samples its tables have, and how many of them were taken. */
  count: number;
  taken: number;
  /** When the next sample is decoded, and where the film begins (`elst`), in the track's units. */
  time: number;
  beginsAt: number;
  /** The samples that were taken for the next fragment. */
  part: TrackPart;
}

/** The order in which a fragment has its tracks: sound is short, and a browser waits for both before it begins. */
const order = ["audio", "video", "other"] as const;

/** Returns a reader of each track, in the order of their bytes; undefined where one of them is not ordinary. */
export function readersOf(bytes: Buffer, moov: Box, movie: Movie): TrackReader[] | undefined {
  const traks = (boxesIn(bytes, moov.contentStart, moov.end) ?? []).filter(({ type }) => type === "trak");
  const readers: TrackReader[] = [];
  for (const [at, track] of movie.tracks.entries()) {
    const trak = traks[at];
    const reader = trak && readerOf(bytes, trak, track);
    if (reader === undefined) return undefined;
    readers.push(reader);
  }
  return order.flatMap((kind) => readers.filter(({ track }) => track.kind === kind));
}

function readerOf(bytes: Buffer, trak: Box, track: Track): TrackReader | undefined {
  const path = ["mdia", "minf", "stbl"];
  const stbl = path.reduce<Box | undefined>((parent, type) => parent && childOf(bytes, parent, type), trak);
  const tables = stbl && readSampleTables(bytes, stbl);
  // Chapters and timecodes are in no fragment, so that their edits stay as they are.
  const beginsAt = track.kind === "other" ? 0 : beginningOf(bytes, trak);
  if (tables === undefined || beginsAt === undefined || track.perSecond === 0) return undefined;
  const samples = samplesOf(tables);
  const next = samples.next().value;
  const usualDuration = next?.duration ?? 0;
  const part = { id: track.id, decodeTime: 0, usualDuration, isAllSync: tables.syncs === undefined, samples: [] };
  return { track, trak, samples, next, count: tables.count, taken: 0, time: 0, beginsAt, part };
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

/** Returns when the next sample is displayed, in the track's units; of a film that has ended, `shift` units after the last was decoded. */
export function nextShownAt({ time, next, beginsAt }: TrackReader, shift = 0): number {
  return time + (next?.shift ?? shift) - beginsAt;
}

/** Returns a time of a track in seconds. */
export function secondsOf({ track }: TrackReader, time: number): number {
  return time / track.perSecond;
}

/** Adds a reader's next sample, of which there must be one, to its part. */
export function take(reader: TrackReader): void {
  const sample = reader.next!;
  reader.part.samples.push(sample);
  reader.taken += 1;
  reader.time += sample.duration;
  reader.next = reader.samples.next().value;
}

/** Returns the samples that were taken, and begins with the next ones. */
export function endPart(reader: TrackReader): TrackPart {
  const { part } = reader;
  reader.part = { ...part, decodeTime: reader.time, samples: [] };
  return part;
}
