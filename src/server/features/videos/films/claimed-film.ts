import type { Clock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { FilmReader } from "../../../platform/films/film-reader.ts";
import type { ObjectStore } from "../../../platform/storage/object-store.ts";

export interface FilmParts {
  db: Database;
  clock: Clock;
  objects: ObjectStore;
  films: FilmReader;
}

/** The film is deleted, or another process has claimed it since. */
export class FilmLostError extends Error {
  override name = "FilmLostError";
}

/** Throws `FilmLostError` unless this attempt still had the film. */
export function requireClaim(isHeld: boolean): void {
  if (!isHeld) throw new FilmLostError("The film is gone, or another process has claimed it.");
}
