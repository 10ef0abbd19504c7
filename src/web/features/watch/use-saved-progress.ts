import { useEffect } from "react";
import type { SavedProgress } from "#domain/api/course/videos";
import { saveProgress } from "../../entities/video/queries.ts";
import { sendOnLeave } from "../../platform/api.ts";
import { lengthOf } from "./player/use-video.ts";

/** Milliseconds between two saves while a film plays. */
const saveEveryMs = 10_000;

/** Positions that differ by less than this many seconds are the same. */
const sameSeconds = 0.5;

/** Returns where a film is; at its beginning while its length is not known. */
export function positionOf(video: HTMLVideoElement): SavedProgress {
  const duration = lengthOf(video);
  return { position_seconds: Math.min(video.currentTime, duration), duration_seconds: duration };
}

/**
 * Saves where a film is: when it begins, every ten seconds while it plays, at each pause, at its end and when the page is hidden or left. Not
 * before it was played here, so that a page that was only opened does not overwrite another device's position.
 */
export function useSavedProgress(video: HTMLVideoElement | null, id: string): void {
  useEffect(() => {
    if (!video) return;
    let saved: number | undefined;
    let next: SavedProgress | undefined;
    let isSaving = false;
    const isUnsaved = (seconds: number): boolean => saved === undefined || Math.abs(seconds - saved) >= sameSeconds;
    // `NaN` while a film loads. One whose file states no length is endless, and counts as begun.
    const hasLoaded = (): boolean => video.duration > 0;
    const hasChanged = (): boolean => video.played.length > 0 && hasLoaded() && isUnsaved(positionOf(video).position_seconds);
    const send = (progress: SavedProgress): void => {
      isSaving = true;
      saveProgress(id, progress)
        .then(() => (saved = progress.position_seconds))
        // Logged; the next save says the same and more.
        .catch(() => {})
        .finally(() => {
          isSaving = false;
          const waiting = next;
          next = undefined;
          if (waiting && isUnsaved(waiting.position_seconds)) send(waiting);
        });
    };
    const save = (): void => {
      if (!hasChanged()) return;
      // One at a time, so that an older position never overtakes a newer one.
      if (isSaving) next = positionOf(video);
      else send(positionOf(video));
    };
    const leave = (): void => {
      if (!hasChanged()) return;
      const progress = positionOf(video);
      const before = saved;
      saved = progress.position_seconds;
      next = undefined;
      void sendOnLeave("PUT", `/api/videos/${id}/progress`, progress).then((isSaved) => {
        // Unless another was saved meanwhile.
        if (!isSaved && saved === progress.position_seconds) saved = before;
      });
    };
    const hide = (): void => {
      if (document.visibilityState === "hidden") leave();
    };
    const saveWhilePlaying = (): void => {
      if (!video.paused) save();
    };
    const timer = setInterval(saveWhilePlaying, saveEveryMs);
    const events = ["playing", "pause", "ended"];
    for (const event of events) video.addEventListener(event, save);
    document.addEventListener("visibilitychange", hide);
    addEventListener("pagehide", leave);
    addEventListener("online", save);
    return () => {
      clearInterval(timer);
      for (const event of events) video.removeEventListener(event, save);
      document.removeEventListener("visibilitychange", hide);
      removeEventListener("pagehide", leave);
      removeEventListener("online", save);
      // To another lesson.
      save();
    };
  }, [video, id]);
}
