/** Longest film and position, in seconds (WATCH-1). */
export const maxFilmSeconds = 24 * 3600;

/** Seconds that a position may lie behind the film's length: players round the two differently. */
const positionToleranceSeconds = 1;

/** Share of a film after which it counts as done (WATCH-2). */
export const doneShare = 0.9;

/** A lesson that was left so early begins anew. */
const minResumeSeconds = 5;

/** Where a viewer is in a film, in seconds. */
export interface FilmPosition {
  position_seconds: number;
  /** 0 while the length is not known. */
  duration_seconds: number;
}

/** Returns whether a position lies in its film. */
export function isWithinFilm({ position_seconds, duration_seconds }: FilmPosition): boolean {
  return position_seconds <= duration_seconds + positionToleranceSeconds;
}

/**
 * Returns the second of a film after which its lesson is done, or null while the length is not known. Only passing it counts, so that a
 * lesson marked as not done near its end stays so (WATCH-2).
 */
export function doneFrom(durationSeconds: number): number | null {
  return durationSeconds > 0 ? doneShare * durationSeconds : null;
}

/** Returns the second at which a lesson goes on: where it was left, or 0 where that was in the first seconds or the lesson is done (WATCH-3). */
export function resumePosition(progress: { position_seconds: number; done: boolean } | null): number {
  if (progress === null || progress.done || progress.position_seconds <= minResumeSeconds) return 0;
  return progress.position_seconds;
}
