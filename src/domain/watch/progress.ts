/** Longest film and position, in seconds (WATCH-1). */
export const maxFilmSeconds = 24 * 3600;

/** Seconds that a position may lie behind the film's length: players round the two differently. */
const positionTolerance = 1;

/** Share of a film after which it counts as done (WATCH-2). */
const doneShare = 0.9;

/** Where a viewer is in a film, in seconds. */
export interface FilmPosition {
  position_seconds: number;
  /** 0 while the length is not known. */
  duration_seconds: number;
}

/** Returns whether a position lies in its film. */
export function isWithinFilm({ position_seconds, duration_seconds }: FilmPosition): boolean {
  return position_seconds <= duration_seconds + positionTolerance;
}

/**
 * Returns the second of a film after which its lesson is done, or null while the length is not known. Only passing it counts, so that a
 * lesson marked as not done near its end stays so (WATCH-2).
 */
export function doneFrom(durationSeconds: number): number | null {
  return durationSeconds > 0 ? doneShare * durationSeconds : null;
}
