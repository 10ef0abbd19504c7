import { inject } from "vitest";
import { filmJob, type FilmJobParts } from "#server/features/videos/films/job";
import type { BackgroundJob } from "#server/platform/background-job";
import { openFilmReader } from "#server/platform/films/film-reader";
import type { TestApp } from "../app.ts";

export interface TestFilmJob {
  job: BackgroundJob;
  /** What the operator's log would say. */
  errors: string[];
  close(): Promise<void>;
}

/** A process's job over an app's films; it prepares them when it is run. */
export function filmJobOf(app: TestApp, parts: Partial<FilmJobParts> = {}): TestFilmJob {
  const { db, clock, objects, changes } = app.deps;
  const films = openFilmReader(inject("filmWorker"));
  const errors: string[] = [];
  const onError = (what: string, error: unknown): void => void errors.push(`${what}: ${String(error)}`);
  const job = filmJob({ db, clock, objects, changes, films, onError, ...parts });
  return {
    job,
    errors,
    async close() {
      await job.stop();
      await films.close();
    },
  };
}
