import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import type { FilmProcessSettings } from "../../../../../tests/support/films/process.ts";
import { filmSample } from "../../../../../tests/support/films/samples.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { chunksOf, typesOf } from "../../../../../tests/support/films/mp4.ts";
import { uploader } from "../../../../../tests/support/uploads.ts";

let course: Course;
beforeAll(async () => (course = await startCourse()));
afterAll(() => course?.app.close());

/** Seconds: longer than a lease and than any wait between attempts. */
const betweenProcesses = 4000;

interface Ended {
  signal: string | undefined;
  output: string;
}

function prepareUntil(killAt: number): Promise<Ended> {
  const { config, db } = course.app.deps;
  const settings: FilmProcessSettings = {
    connection: { ...inject("postgres"), database: db.$client.options.database },
    dataDir: config.files.dataDir,
    filmWorker: inject("filmWorker"),
    killAt,
    ahead: killAt * betweenProcesses,
  };
  return new Promise((resolve) =>
    execFile(process.execPath, [inject("filmProcess"), JSON.stringify(settings)], (error, stdout, stderr) =>
      resolve({ signal: error?.signal as string | undefined, output: stdout + stderr }),
    ),
  );
}

// FILE-12
it("loses nothing of a film when its process is killed at any step, again and again", async () => {
  const late = await filmSample("h264-aac-late.mp4");
  const upload_id = await uploader(course.app, course.operator).upload("course-videos", late, "lesson.mp4");
  const { id } = await course.add({ upload_id });
  const folder = join(course.app.deps.config.files.dataDir, "objects");
  let current = upload_id;
  let kills = 0;
  for (let killAt = 1; ; killAt += 1) {
    const { signal, output } = await prepareUntil(killAt);
    const [video] = await course.app.sql<any>("select object_id, size from videos join stored_objects o on o.id = object_id");
    current = video.object_id;
    const bytes = await readFile(join(folder, current));
    expect([bytes.length, chunksOf(bytes)], `killed at step ${killAt}`).toEqual([Number(video.size), chunksOf(late)]);
    expect((await readFile(join(folder, upload_id))).equals(late)).toBe(true);
    // The bytes of the upload, and of one rewriting at most.
    expect((await readdir(folder)).length).toBeLessThanOrEqual(2);
    if (signal === undefined) {
      expect(output).toMatch(/^\d+\n$/);
      break;
    }
    expect(signal).toBe("SIGKILL");
    kills += 1;
  }
  expect(kills).toBeGreaterThan(25);
  expect(current).not.toBe(upload_id);
  expect(typesOf(await readFile(join(folder, current)))).toEqual(["ftyp", "free", "moov", "mdat"]);
  const { body } = await course.operator.call("GET", "/api/videos");
  expect(body.items).toEqual([expect.objectContaining({ id, playability: "plays", duration_seconds: 0.5 })]);
}, 900_000);
