import type { Box } from "../boxes.ts";
import type { ByteRange } from "../../../storage/object-bytes.ts";
import { isOrdinary, largest32 } from "../fast-start.ts";
import type { Layout } from "../layout.ts";
import type { Movie } from "../movie.ts";
import { cutFragments, type Fragment } from "./cut-fragments.ts";
import { filmHeader, type ListedTrack } from "./header.ts";
import { indexWithChunks, type Chunk } from "./chunk-index.ts";
import { fragmentHeader, lengthOfPart } from "./moof.ts";
import { nextShownAt, readersOf, secondsOf, type TrackReader } from "./track-reader.ts";
import { u32, u64 } from "./write-box.ts";

/** Bytes that are written, and the range of the film's new file that follows them. */
export interface Piece {
  head: Buffer;
  start: number;
  end: number;
}

/** A film as a file in which the samples of each fragment stand together, and the fragmented layout of this file. */
export interface FragmentedFilm {
  before: ByteRange;
  /** The index, and the beginning of the box with the samples. */
  index: Buffer;
  /** Where the samples of each fragment are in the old file, in the order of the new one: starts and ends take turns. */
  fragments: Float64Array[];
  after: ByteRange[];
  pieces: Piece[];
}

/** Seconds of a fragment, which lasts longer where the next sync sample comes later. A long film has about so many of them. */
const fragmentSeconds = 4;
const usualFragments = 2000;
/** The most fragments, which are all looked through for each range that is sent. */
export const maxFragments = 4000;

/** The longest header of a fragment: a browser reads a whole one before a picture, and 256 kB take 0.2 s at 10 Mbit/s. */
const maxHeadBytes = 256 * 1024;
const maxAllHeadBytes = 32 * 1024 ** 2;
/** The most bytes of a fragment, which is in memory while it is written. */
const maxFragmentBytes = 32 * 1024 ** 2;

/** Seconds of a film that an edit may leave out at its beginning or end: a codec's own delay is shorter. */
const maxHidden = 0.2;

/** Boxes that are written anew, and those that hold nothing. */
const notCopied = new Set(["mdat", "moov", "free", "skip", "wide"]);

/**
 * Returns how to write a film so that each fragment of its fragmented layout (FILE-16) is one range of the new file, begun by a sync sample
 * of the picture. Undefined for fragments, encryption, a file that is truncated or odd, and for a film with more than one picture, with
 * edits that leave something out, or with a second description of its samples.
 */
export function planFragments(layout: Layout): FragmentedFilm | undefined {
  const { boxes, index: found } = layout;
  const films = boxes.filter(({ type }) => type === "mdat");
  if (found === undefined || films.length === 0 || found.movie.isFragmented) return undefined;
  const { bytes, moov, movie } = found;
  const others = boxes.filter(({ type }) => !notCopied.has(type));
  // Nothing can follow a box that runs to the end of its file.
  if (!isOrdinary(layout, movie, films, bytes) || others.some(({ isOpenEnded }) => isOpenEnded)) return undefined;
  const draft = draftOf(bytes, moov, movie, films);
  if (draft === undefined) return undefined;

  const beforeEnd = boxes.find(({ type }) => type === "mdat" || type === "moov")!.start;
  const header = mdatHeader(draft.length);
  const indexAt = (filmStart: number, isWide: boolean): Buffer =>
    indexWithChunks(bytes, moov, draft.chunks, { filmStart, isWide });
  const startBehind = (index: Buffer): number => beforeEnd + index.length + header.length;
  const isWide = startBehind(indexAt(0, false)) + draft.length > largest32;
  const filmStart = startBehind(indexAt(0, isWide));
  const pieces = draft.pieces.map(({ head, start, end }) => ({ head, start: filmStart + start, end: filmStart + end }));
  return {
    before: { start: 0, end: beforeEnd },
    index: Buffer.concat([indexAt(filmStart, isWide), header]),
    fragments: draft.fragments,
    after: others.filter(({ start }) => start > beforeEnd).map(({ start, end }) => ({ start, end })),
    pieces: [{ head: draft.head, start: 0, end: 0 }, ...pieces],
  };
}

/** The fragments of a film, with offsets from the first one's beginning, and the header of the layout. */
interface Draft extends Pick<FragmentedFilm, "fragments" | "pieces"> {
  head: Buffer;
  /** The chunks of each track, by where its box starts. */
  chunks: Map<number, Chunk[]>;
  length: number;
}

function draftOf(bytes: Buffer, moov: Box, movie: Movie, films: Box[]): Draft | undefined {
  const readers = readersOf(bytes, moov, movie);
  const [picture, otherPicture] = readers?.filter(({ track }) => track.kind === "video") ?? [];
  if (readers === undefined || picture?.next?.isSync !== true || otherPicture !== undefined) return undefined;
  if (readers.some((one) => secondsOf(one, one.beginsAt - (one.next?.shift ?? 0)) > maxHidden)) return undefined;
  const filmBytes = films.reduce((sum, film) => sum + film.end - film.contentStart, 0);
  const listed = readers.map(listedTrack);
  const chunks = new Map<number, Chunk[]>(readers.map(({ trak }) => [trak.start, []]));
  const draft: Draft = { head: Buffer.alloc(0), chunks, fragments: [], pieces: [], length: 0 };
  let allHeadBytes = 0;
  const endsAt = listed.map(({ firstTime }) => firstTime);

  const seconds = Math.max(fragmentSeconds, (movie.durationSeconds ?? 0) / usualFragments);
  for (const fragment of cutFragments(readers, picture, seconds)) {
    if (fragment === undefined) return undefined;
    const ranges = rangesOf(fragment, films);
    const piece = addFragment(draft, readers, fragment);
    allHeadBytes += piece.head.length;
    const length = draft.length - piece.start;
    if (ranges === undefined || length === 0 || length > maxFragmentBytes) return undefined;
    // Samples that share bytes could make a file of any length.
    if (draft.length > filmBytes) return undefined;
    if (piece.head.length > maxHeadBytes || allHeadBytes > maxAllHeadBytes) return undefined;
    if (draft.pieces.push(piece) > maxFragments) return undefined;
    draft.fragments.push(ranges);
    for (const [at, { durations }] of listed.entries()) {
      const end = Math.max(endsAt[at]!, fragment.endsAt[at]!);
      durations.push(end - endsAt[at]!);
      endsAt[at] = end;
    }
  }
  if (readers.some(({ taken, count }) => taken !== count)) return undefined;
  const lasts = secondsOf(picture, picture.time - picture.beginsAt);
  if (movie.durationSeconds !== null && lasts > movie.durationSeconds + maxHidden) return undefined;
  const sent = listed.filter((_track, at) => isSent(readers[at]!)).toSorted((one, other) => one.trak.start - other.trak.start);
  const lengths = draft.pieces.map(({ head, start, end }) => head.length + end - start);
  return { ...draft, head: filmHeader(bytes, moov, sent, lengths) };
}

const listedTrack = (reader: TrackReader): ListedTrack => ({
  trak: reader.trak,
  id: reader.track.id,
  perSecond: reader.track.perSecond,
  firstTime: Math.max(0, nextShownAt(reader)),
  durations: [],
});

/** What the fragmented layout has; chapters and timecodes are in the file alone. */
const isSent = ({ track }: TrackReader): boolean => track.kind !== "other";

/** Adds a fragment to the chunks of its tracks and to the length of the film; returns its piece. */
function addFragment(draft: Draft, readers: TrackReader[], { parts }: Fragment): Piece {
  const start = draft.length;
  let end = start;
  for (const [at, reader] of readers.entries()) {
    const part = parts[at]!;
    if (part.samples.length === 0) continue;
    draft.chunks.get(reader.trak.start)!.push({ offset: draft.length, samples: part.samples.length });
    draft.length += lengthOfPart(part);
    if (isSent(reader)) end = draft.length;
  }
  const sent = parts.filter(({ samples }, at) => samples.length > 0 && isSent(readers[at]!));
  return { head: fragmentHeader(draft.pieces.length + 1, sent), start, end };
}

/** Returns where the samples of a fragment are in the old file; undefined where one is outside of its film. */
function rangesOf({ parts }: Fragment, films: Box[]): Float64Array | undefined {
  const ranges: number[] = [];
  for (const { offset, size } of parts.flatMap(({ samples }) => samples)) {
    if (!films.some(({ contentStart, end }) => offset >= contentStart && offset + size <= end)) return undefined;
    if (ranges.at(-1) === offset) ranges.pop();
    else ranges.push(offset);
    ranges.push(offset + size);
  }
  return Float64Array.from(ranges);
}

/** Returns the beginning of a box of samples that has so many bytes of them. */
function mdatHeader(length: number): Buffer {
  const type = Buffer.from("mdat", "latin1");
  return length + 8 > largest32 ? Buffer.concat([u32(1), type, u64(length + 16)]) : Buffer.concat([u32(length + 8), type]);
}
