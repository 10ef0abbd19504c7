import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filmJobOf } from "../../../../../tests/support/films/job.ts";
import { filmSample } from "../../../../../tests/support/films/samples.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { admin } from "../../../../../tests/support/people.ts";
import { hasS3Server, startS3Server, type S3Server } from "../../../../../tests/support/s3/server.ts";
import { uploader } from "../../../../../tests/support/uploads.ts";
import { diskReserve } from "../../../platform/storage/disk/disk-space.ts";
import type { ObjectStore } from "../../../platform/storage/object-store.ts";

let server: S3Server;
let course: Course;
/** Of the disk of the fetched files: its size, and what else is on it. */
let total = 1000 * 1024 ** 3;
let others = 0;
beforeAll(async () => {
  if (!hasS3Server) return;
  server = await startS3Server();
  course = await startCourse({
    readDisk: async (path) => ({ free: total - others - (await bytesBelow(path)), total }),
    environment: server.environment,
  });
});
afterAll(async () => {
  await course?.app.close();
  await server?.close();
});

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile()) bytes += found.size;
  }
  return bytes;
}

/** The app's store, and the ids of what it has fetched and begun to write. */
function watchedStore(): { objects: ObjectStore; calls: { withFile: string[]; begin: string[] } } {
  const calls = { withFile: [] as string[], begin: [] as string[] };
  const objects = new Proxy(course.app.deps.objects, {
    get(store: any, key) {
      if (typeof store[key] !== "function") return store[key];
      return (id: string, ...rest: unknown[]) => {
        if (key === "withFile" || key === "begin") calls[key].push(id);
        return store[key](id, ...rest);
      };
    },
  });
  return { objects, calls };
}

/** Signed in anew: the tests move the clock. */
async function uploadFilm(): Promise<{ objectId: string; size: number }> {
  const bytes = await filmSample("h264-aac-late.mp4");
  const objectId = await uploader(course.app, await admin(course.app)).upload("course-videos", bytes, "lesson.mp4");
  return { objectId, size: bytes.length };
}

const rowOf = async (objectId: string): Promise<any> =>
  (await course.app.sql("select * from films where object_id = $1", [objectId]))[0];

// FILE-12, FILE-18
describe.runIf(hasS3Server)("a film in a bucket that is rewritten", () => {
  it("is fetched and copied only once there is room for both", async () => {
    const { objectId, size } = await uploadFilm();
    const { objects, calls } = watchedStore();
    const { job, errors, close } = filmJobOf(course.app, { objects });
    others = total - diskReserve(total) - Math.floor(1.5 * size);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await job.run();
      course.app.clock.advance(3601);
    }
    expect(calls).toEqual({ withFile: [objectId], begin: [] });
    expect([errors.length, await rowOf(objectId)]).toEqual([
      10,
      expect.objectContaining({ failures: 0, duration_seconds: 0.5 }),
    ]);
    others = 0;
    await job.run();
    await close();
    const copyId = calls.begin[0];
    expect(calls).toEqual({ withFile: [objectId, objectId, objectId, copyId], begin: [copyId] });
    expect(await rowOf(copyId!)).toMatchObject({ playability: "plays", next_attempt_at: null });
  });

  // VIDEO-6
  it("is left as it is where the disk can never have both", async () => {
    const { objectId, size } = await uploadFilm();
    const { objects, calls } = watchedStore();
    const { job, errors, close } = filmJobOf(course.app, { objects });
    const reserve = 64 * 1024 ** 2;
    total = reserve + Math.floor(1.5 * size);
    await job.run();
    await close();
    expect([errors, calls]).toEqual([[], { withFile: [objectId], begin: [] }]);
    expect(await rowOf(objectId)).toMatchObject({ playability: "starts_late", next_attempt_at: null, rewriting_id: null });
  });
});
