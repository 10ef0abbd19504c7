import { inject } from "vitest";
import { FilmJob, type FilmJobParts } from "#server/features/videos/films/job";
import { openFilmReader } from "#server/platform/films/film-reader";
import type { TestApp } from "./app.ts";

export interface TestFilmJob {
  job: FilmJob;
  /** What the operator's log would say. */
  errors: string[];
  close(): Promise<void>;
}

/** Films are prepared when a test says so. */
const silent = { subscribe: () => () => {} };

/** A process's job over an app's films; it prepares them when it is run. */
export function filmJobOf(app: TestApp, parts: Partial<FilmJobParts> = {}): TestFilmJob {
  const { db, clock, objects } = app.deps;
  const films = openFilmReader(inject("filmWorker"));
  const errors: string[] = [];
  const onError = (what: string, error: unknown): void => void errors.push(`${what}: ${String(error)}`);
  const job = new FilmJob({ db, clock, objects, changes: silent, films, onError, ...parts });
  return {
    job,
    errors,
    async close() {
      await job.stop();
      await films.close();
    },
  };
}
