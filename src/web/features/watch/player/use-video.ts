import { useCallback, useSyncExternalStore } from "react";

/** Returns what `read` finds in a film's element, again after each of `events`; `none` while there is no element. Neither may change. */
export function useVideo<Value extends string | number | boolean>(
  video: HTMLVideoElement | null,
  events: readonly string[],
  read: (video: HTMLVideoElement) => Value,
  none: Value,
): Value {
  const watch = useCallback(
    (onChange: () => void) => {
      for (const event of events) video?.addEventListener(event, onChange);
      return () => {
        for (const event of events) video?.removeEventListener(event, onChange);
      };
    },
    [video, events],
  );
  return useSyncExternalStore(watch, () => (video ? read(video) : none));
}

const changesOfPlaying = ["play", "playing", "pause", "ended", "emptied"];
/** Whether the film plays or would if it had the bytes. */
export const usePlaying = (video: HTMLVideoElement | null): boolean => useVideo(video, changesOfPlaying, isPlaying, false);
const isPlaying = (video: HTMLVideoElement): boolean => !video.paused && !video.ended;

const changesOfBytes = ["waiting", "playing", "canplay", "seeking", "seeked", "pause", "play", "emptied", "error"];
/** `HAVE_FUTURE_DATA` of the HTML standard. */
const hasFutureData = 3;

/** Whether the film would play, but lacks the bytes. */
export const useLacking = (video: HTMLVideoElement | null): boolean => useVideo(video, changesOfBytes, isLacking, false);
export const isLacking = (video: HTMLVideoElement): boolean => !video.paused && video.readyState < hasFutureData;
/** Returns whether a film has what it plays next. */
export const hasBytes = (video: HTMLVideoElement): boolean => video.error === null && video.readyState >= hasFutureData;

const changesOfTime = ["timeupdate", "seeking", "seeked", "loadedmetadata"];
/** The position in seconds. */
export const useTime = (video: HTMLVideoElement | null): number =>
  useVideo(video, changesOfTime, (film) => film.currentTime, 0);

const changesOfLength = ["loadedmetadata", "durationchange"];
/** The length in seconds; 0 while it is not known. */
export const useLength = (video: HTMLVideoElement | null): number => useVideo(video, changesOfLength, lengthOf, 0);

/** Returns a film's length in seconds, 0 while it is not known. */
export function lengthOf({ duration }: HTMLVideoElement): number {
  return Number.isFinite(duration) ? duration : 0;
}

const changesOfEnd = ["ended", "seeking", "playing", "emptied"];
export const useEnded = (video: HTMLVideoElement | null): boolean => useVideo(video, changesOfEnd, (film) => film.ended, false);

const changesOfStart = ["playing", "seeking", "timeupdate"];
/** Whether the film has been played on this page. */
export const useStarted = (video: HTMLVideoElement | null): boolean =>
  useVideo(video, changesOfStart, (film) => film.played.length > 0, false);

const changesOfVolume = ["volumechange"];
/** From 0 to 1; 0 while muted. */
export const useVolume = (video: HTMLVideoElement | null): number =>
  useVideo(video, changesOfVolume, (film) => (film.muted ? 0 : film.volume), 1);
