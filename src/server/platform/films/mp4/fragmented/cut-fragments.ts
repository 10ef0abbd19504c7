import type { TrackPart } from "./moof.ts";
import type { Sample } from "./samples.ts";
import { endPart, nextShownAt, secondsOf, take, type TrackReader } from "./track-reader.ts";

/** The samples of all tracks from a sync sample of the picture to a later one. */
export interface Fragment {
  /** One part of each track, in the order of the readers; some may be empty. */
  parts: TrackPart[];
  /** When the next sample of each track is displayed, in the track's units. */
  endsAt: number[];
}

/** The most samples of a track in a fragment, and its most seconds: all its sound comes before its picture. */
const maxSamples = 16_384;
const maxSeconds = 30;

/**
 * Seconds by which sound begins before its picture is decoded, at least: Chromium begins a jump with a sample that is up to a codec's delay earlier,
 * and would read the fragment before for it.
 */
const lead = 0.25;

/**
 * Iterates over the fragments of a film, each of which has at least so many seconds of its picture, and what is heard beside it. Ends with undefined in
 * place of one that would be too long.
 */
export function* cutFragments(
  readers: TrackReader[],
  picture: TrackReader,
  seconds: number,
): Generator<Fragment | undefined, undefined> {
  const firstShift = picture.next?.shift ?? 0;
  while (picture.next !== undefined) {
    const begun = picture.time;
    const isAtEnd = (): boolean => picture.next?.isSync === true && secondsOf(picture, picture.time - begun) >= seconds;
    do {
      take(picture);
    } while (picture.next !== undefined && !isAtEnd() && picture.part.samples.length <= maxSamples);
    const end = picture.next === undefined ? Infinity : secondsOf(picture, picture.time - picture.beginsAt) - lead;
    for (const reader of readers) {
      if (reader === picture) continue;
      while (reader.next !== undefined && endsBefore(end, reader, reader.next) && reader.part.samples.length <= maxSamples) {
        take(reader);
      }
    }
    const endsAt = readers.map((reader) => nextShownAt(reader, reader === picture ? firstShift : 0));
    const isTooLong = secondsOf(picture, picture.time - begun) > Math.max(maxSeconds, 2 * seconds);
    const parts = readers.map(endPart);
    const isFit = !isTooLong && parts.every(({ samples }) => samples.length <= maxSamples);
    yield isFit ? { parts, endsAt } : undefined;
    if (!isFit) return;
  }
  return undefined;
}

function endsBefore(seconds: number, reader: TrackReader, { duration }: Sample): boolean {
  return secondsOf(reader, reader.time - reader.beginsAt + duration) <= seconds;
}
