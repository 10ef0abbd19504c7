import { inject } from "vitest";
import { filmJob, type FilmJobParts } from "#server/features/videos/films/job";
import { openFilmReader } from "#server/platform/films/film-reader";
import type { TestApp } from "../app.ts";
import { testJob, type TestJob } from "../background-job.ts";

/** A process's job over an app's films; it prepares them when it is run. */
export function filmJobOf(app: TestApp, parts: Partial<FilmJobParts> = {}): TestJob {
  const films = openFilmReader(inject("filmWorker"));
  return testJob(films, (onError) => filmJob({ ...app.deps, films, onError, ...parts }));
}
