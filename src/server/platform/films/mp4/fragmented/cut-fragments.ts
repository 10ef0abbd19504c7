import type { TrackPart } from "./moof.ts";
import type { Sample } from "./samples.ts";
import { endPart, nextShownAt, secondsOf, take, type TrackReader } from "./track-reader.ts";

/** The samples of all tracks from a sync sample of the picture to a later one. */
export interface Fragment {
  /** One part of each track, in the order of the readers; some may be empty. */
  parts: TrackPart[];
  /** When the first sample of each track is displayed that comes after it, in the track's units. */
  endsAt: number[];
}

/** The most samples of a track in a fragment: its header has four bytes or more for each, and is shorter. */
const mostSamples = 65_536;

/**
 * Seconds by which sound begins before its picture is decoded, at least: Chromium begins a jump with a sample that is up to a codec's delay earlier,
 * and would read the fragment before for it.
 */
const lead = 0.25;

/**
 * Iterates over the fragments of a film, each of which has at least so many seconds of its picture, and what is displayed beside it. Ends early
 * with more samples than a fragment can have.
 */
export function* cutFragments(readers: TrackReader[], picture: TrackReader, seconds: number): Generator<Fragment, undefined> {
  const firstShift = picture.next?.shift ?? 0;
  while (picture.next !== undefined) {
    const begun = picture.time;
    const isAtEnd = (): boolean => picture.next?.isSync === true && secondsOf(picture, picture.time - begun) >= seconds;
    do {
      take(picture, picture.next);
    } while (picture.next !== undefined && !isAtEnd() && picture.part.samples.length <= mostSamples);
    const end = picture.next === undefined ? Infinity : secondsOf(picture, picture.time - picture.beginsAt) - lead;
    for (const reader of readers) {
      if (reader === picture) continue;
      while (reader.next !== undefined && isOverBy(end, reader, reader.next) && reader.part.samples.length <= mostSamples) {
        take(reader, reader.next);
      }
    }
    const endsAt = readers.map((reader) => nextShownAt(reader, reader === picture ? firstShift : 0));
    const parts = readers.map(endPart);
    if (parts.some(({ samples }) => samples.length > mostSamples)) return undefined;
    yield { parts, endsAt };
  }
  return undefined;
}

function isOverBy(seconds: number, reader: TrackReader, { duration }: Sample): boolean {
  return secondsOf(reader, reader.time - reader.beginsAt + duration) <= seconds;
}
