import { readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { filmJobOf } from "../../../../../tests/support/films/job.ts";
import { filmSample } from "../../../../../tests/support/films/samples.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { loseReplyToCommit } from "../../../../../tests/support/database/lost-commit.ts";
import { typesOf } from "../../../../../tests/support/films/mp4.ts";
import { admin } from "../../../../../tests/support/people.ts";
import { storeWith } from "../../../../../tests/support/store-with.ts";
import { uploader } from "../../../../../tests/support/uploads.ts";
import { openFilmReader, type FilmReader } from "../../../platform/films/film-reader.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { JobError } from "../../../platform/workers/job-error.ts";
import type { ObjectStore } from "../../../platform/storage/object-store.ts";
import type { FilmJobParts } from "./job.ts";
import { updateFilm } from "./queries.ts";

let course: Course;
let reader: FilmReader;
beforeAll(async () => {
  course = await startCourse();
  reader = openFilmReader(inject("filmWorker"));
});
afterEach(async () => {
  await course.app.sql("delete from videos");
  await course.app.sql("delete from stored_objects");
  for (const name of await files()) leftFromBefore.add(name);
});
afterAll(async () => {
  await reader?.close();
  await course?.app.close();
});

/** Uploads a film whose index stands at its end, and adds it as a video. Signed in anew: the tests move the clock. */
async function addFilm(): Promise<{ videoId: string; objectId: string; bytes: Buffer }> {
  const operator = await admin(course.app);
  const bytes = await filmSample("h264-aac-late.mp4");
  const objectId = await uploader(course.app, operator).upload("course-videos", bytes, "lesson.mp4");
  const body = { title: "T", description: "D", module: "M", order_index: 1, package_type: "both", upload_id: objectId };
  const { id } = (await operator.call("POST", "/api/videos", body)).body;
  return { videoId: id, objectId, bytes };
}

const rowOf = async (objectId: string): Promise<any> =>
  (await course.app.sql("select * from films where object_id = $1", [objectId]))[0];
const objectOf = async (videoId: string): Promise<string> =>
  (await course.app.sql<any>("select object_id from videos where id = $1", [videoId]))[0]?.object_id;
/** Files of the tests before. */
const leftFromBefore = new Set<string>();
const files = async (): Promise<string[]> =>
  (await readdir(join(course.app.deps.config.files.dataDir, "objects"))).filter((name) => !leftFromBefore.has(name));
const bytesOf = (id: string): Promise<Buffer> => course.app.deps.objects.withFile(id, (path) => readFile(path));

/** The app's store with other methods. */
const appStoreWith = (methods: Partial<ObjectStore>): ObjectStore => storeWith(course.app.deps.objects, methods);

/** Returns what the log says of nine tries. */
async function nineTries(parts: Partial<FilmJobParts> = {}): Promise<string[]> {
  const { job, errors, close } = filmJobOf(course.app, parts);
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    await job.run();
    course.app.clock.advance(3601);
  }
  await close();
  return errors;
}

// FILE-12
describe("a film that cannot be rewritten", () => {
  it("leaves a film unchanged when its copy differs, and gives up after eight tries", async () => {
    const { videoId, objectId, bytes } = await addFilm();
    let compared = 0;
    const differing = { ...reader, compare: () => Promise.resolve(void (compared += 1)) };
    const { job, errors, close } = filmJobOf(course.app, { films: differing });
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await job.run();
      await job.run();
      expect([compared, await files()]).toEqual([attempt, [objectId]]);
      course.app.clock.advance(3601);
    }
    await job.run();
    await close();
    expect([compared, errors.length, errors[0]]).toEqual([8, 8, expect.stringContaining("differs")]);
    expect(await rowOf(objectId)).toMatchObject({ playability: "starts_late", next_attempt_at: null, duration_seconds: 0.5 });
    expect([await objectOf(videoId), (await bytesOf(objectId)).equals(bytes)]).toEqual([objectId, true]);
  });

  it("waits while the disk is full, and does not count that as a failure", async () => {
    const { videoId, objectId } = await addFilm();
    let [isFull, isUnread] = [true, true];
    const checkSpace = () => (isFull ? Promise.reject(new ProductError("insufficient_storage")) : Promise.resolve());
    const films: FilmReader = {
      ...reader,
      compare: (...paths) => (isUnread ? Promise.reject(new JobError("lost")) : reader.compare(...paths)),
    };
    const { job, close } = filmJobOf(course.app, { objects: appStoreWith({ checkSpace }), films });
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await job.run();
      expect(await rowOf(objectId)).toMatchObject({ attempts: attempt, playability: "starts_late", duration_seconds: 0.5 });
      course.app.clock.advance(3601);
    }
    isFull = false;
    await job.run();
    isUnread = false;
    course.app.clock.advance(3601);
    await job.run();
    await close();
    expect(await objectOf(videoId)).not.toBe(objectId);
  });

  // VIDEO-6, FILE-18
  it("waits while the store is away, and does not count that as a failure", async () => {
    const { videoId, objectId } = await addFilm();
    await nineTries({ objects: appStoreWith({ withFile: () => Promise.reject(new ProductError("unavailable")) }) });
    expect(await rowOf(objectId)).toMatchObject({ attempts: 9, failures: 0, playability: null });
    const folder = join(course.app.deps.config.files.dataDir, "objects");
    await rename(folder, `${folder}-away`);
    await nineTries({ films: { ...reader, probe: () => Promise.reject(new JobError("crashed")) } });
    await rename(`${folder}-away`, folder);
    expect(await rowOf(objectId)).toMatchObject({ attempts: 18, failures: 0, playability: null });
    const lost = Object.assign(new Error("terminating connection"), { code: "57P01" });
    await nineTries({ films: { ...reader, probe: () => Promise.reject(lost) } });
    expect(await rowOf(objectId)).toMatchObject({ attempts: 27, failures: 0, playability: null });
    await nineTries();
    expect(await objectOf(videoId)).not.toBe(objectId);
  });

  it("marks a film as damaged when its reader fails every time", async () => {
    const { objectId, videoId } = await addFilm();
    const errors = await nineTries({ films: { ...reader, probe: () => Promise.reject(new JobError("timeout")) } });
    expect([errors.length, await rowOf(objectId)]).toEqual([8, expect.objectContaining({ playability: "damaged" })]);
    expect(await objectOf(videoId)).toBe(objectId);
  });
});

describe("a film that is taken away while it is rewritten", () => {
  const during = (event: () => Promise<unknown>): FilmReader => ({
    ...reader,
    async compare(...paths) {
      const sha256 = await reader.compare(...paths);
      await event();
      return sha256;
    },
  });

  it("keeps a film deleted whose video is deleted during the rewrite", async () => {
    const { videoId, objectId } = await addFilm();
    const operator = await admin(course.app);
    const films = during(() => operator.call("DELETE", `/api/videos/${videoId}`));
    const { job, errors, close } = filmJobOf(course.app, { films });
    await job.run();
    await close();
    expect(errors).toEqual([]);
    const rows = await course.app.sql<any>("select id from stored_objects");
    expect([rows, (await files()).includes(objectId)]).toEqual([[], false]);
  });

  it("leaves no copy of a film that is taken away while it is rewritten", async () => {
    const operator = await admin(course.app);
    for (const takeAway of [
      (id: string) => operator.call("DELETE", `/api/videos/${id}`),
      (id: string) => operator.call("PATCH", `/api/videos/${id}`, { video_url: "https://films.example/1" }),
    ]) {
      const { videoId } = await addFilm();
      const { job, errors, close } = filmJobOf(course.app, { films: during(() => takeAway(videoId)) });
      await job.run();
      await close();
      expect([errors, await files()]).toEqual([[], []]);
    }
  });

  it("leaves a film to the next process once the lease has ended", async () => {
    const { videoId, objectId } = await addFilm();
    const second = filmJobOf(course.app);
    const films = during(async () => {
      course.app.clock.advance(121);
      await second.job.run();
    });
    const first = filmJobOf(course.app, { films });
    await first.job.run();
    await Promise.all([first.close(), second.close()]);
    expect([first.errors, second.errors]).toEqual([[], []]);
    const current = await objectOf(videoId);
    expect(current).not.toBe(objectId);
    expect(await rowOf(objectId)).toMatchObject({ attempts: 2, next_attempt_at: null });
    expect(typesOf(await bytesOf(current))).toEqual(["ftyp", "free", "moov", "mdat"]);
    expect((await course.app.sql("select 1 from stored_objects")).length).toBe(2);
  });

  it("renews the lease during the rewrite, and prepares the film once", async () => {
    const { objectId } = await addFilm();
    const { db, clock } = course.app.deps;
    const renew = (): Promise<boolean> =>
      updateFilm(db, { object_id: objectId, attempts: 1 }, { next_attempt_at: secondsAfter(clock.steady(), 120) });
    const beside = filmJobOf(course.app);
    const films = during(async () => {
      course.app.clock.advance(100);
      expect(await renew()).toBe(true);
      course.app.clock.advance(100);
      await beside.job.run();
    });
    const { job, errors, close } = filmJobOf(course.app, { films });
    await job.run();
    await Promise.all([close(), beside.close()]);
    expect([errors, beside.errors]).toEqual([[], []]);
    expect(await renew()).toBe(false);
    expect(await rowOf(objectId)).toMatchObject({ attempts: 1, next_attempt_at: null });
  });

  it("is left alone when it was replaced, though the reply to that was lost", async () => {
    const { videoId, objectId } = await addFilm();
    const isLost = loseReplyToCommit(course.app, /update "stored_objects" set .*replaced_by/);
    const { job, errors, close } = filmJobOf(course.app);
    await job.run();
    expect([isLost(), errors]).toEqual([true, []]);
    course.app.clock.advance(31);
    await job.run();
    await close();
    expect([await rowOf(objectId), await rowOf(await objectOf(videoId))]).toMatchObject([
      { attempts: 1, failures: 0, next_attempt_at: null },
      { playability: "plays", next_attempt_at: null },
    ]);
    expect(await course.app.sql("select 1 from stored_objects")).toHaveLength(2);
    expect([errors, typesOf(await bytesOf(await objectOf(videoId)))]).toEqual([[], ["ftyp", "free", "moov", "mdat"]]);
  });

  it("continues in the next process when the first one stops", async () => {
    const { videoId, objectId } = await addFilm();
    let stopped: Promise<void> | undefined;
    const films: FilmReader = {
      ...reader,
      async probe(...film) {
        const probed = await reader.probe(...film);
        stopped = stopping.job.stop();
        return probed;
      },
    };
    const stopping = filmJobOf(course.app, { films });
    await stopping.job.run();
    await stopped;
    await stopping.close();
    expect([stopping.errors, await objectOf(videoId), await files()]).toEqual([[], objectId, [objectId]]);
    const next = filmJobOf(course.app);
    await next.job.run();
    await next.close();
    expect(await objectOf(videoId)).not.toBe(objectId);
  });
});
