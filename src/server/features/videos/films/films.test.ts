import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { TestJob } from "../../../../../tests/support/background-job.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { filmJobOf } from "../../../../../tests/support/films/job.ts";
import { filmSample } from "../../../../../tests/support/films/samples.ts";
import { lesson, startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { chunksOf, typesOf } from "../../../../../tests/support/films/mp4.ts";
import { admin, outcome, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { uploader } from "../../../../../tests/support/uploads.ts";
import { UploadLocks } from "../../../platform/storage/locks/upload-locks.ts";
import { sweep } from "../../../platform/storage/sweep.ts";
import { videoBucket } from "../bucket.ts";

let course: Course;
let film: TestJob;
beforeAll(async () => {
  course = await startCourse();
  film = filmJobOf(course.app);
});
afterAll(async () => {
  await film?.close();
  await course?.app.close();
});

/** Uploads a film of the samples by tus. */
const upload = async (name: string): Promise<string> =>
  uploader(course.app, course.operator).upload("course-videos", await filmSample(name), name);
const videoOf = async (name: string): Promise<any> => course.add({ upload_id: await upload(name) });
const listed = async (who: Person, id: string): Promise<any> =>
  (await who.call("GET", "/api/videos?limit=100")).body.items.find((video: any) => video.id === id);
const play = async (who: Person, id: string): Promise<string> => (await who.call("POST", `/api/videos/${id}/play`)).body.url;
const bytesOf = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());
const objectOf = async (videoId: string): Promise<string> =>
  (await course.app.sql<any>("select object_id from videos where id = $1", [videoId]))[0].object_id;

// FILE-12
describe("a film whose index stands at its end", () => {
  it("serves a film with its index in front after the upload, samples unchanged", async () => {
    const awake = filmJobOf(course.app);
    // Its poll is a timer that nothing moves.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    awake.job.start();
    vi.useRealTimers();
    await awake.job.run();
    const { id } = await videoOf("h264-aac-late.mp4");
    await expect.poll(async () => (await listed(course.operator, id)).playability).toBe("plays");
    await awake.close();
    const url = await play(course.starter, id);
    const head = await fetch(url, { headers: { range: "bytes=0-99" } });
    expect(head.status).toBe(206);
    const whole = await bytesOf(url);
    expect(Buffer.from(await head.arrayBuffer()).equals(whole.subarray(0, 100))).toBe(true);
    expect(typesOf(whole)).toEqual(["ftyp", "free", "moov", "mdat"]);
    expect(chunksOf(whole)).toEqual(chunksOf(await filmSample("h264-aac-late.mp4")));
    const id2 = await objectOf(id);
    const [object] = await course.app.sql<any>("select * from stored_objects join films on object_id = id where id = $1", [
      id2,
    ]);
    expect(object).toMatchObject({ filename: "h264-aac-late.mp4", name: `${id2}.mp4`, content_type: "video/mp4" });
    expect([object.size, object.sha256]).toEqual([String(whole.length), createHash("sha256").update(whole).digest()]);
    expect(object).toMatchObject({
      codecs: ["avc1.64000a", "mp4a.40"],
      width: 96,
      height: 64,
      attempts: 0,
      fragments_at: null,
    });
  });

  it("accepts the upload id of a rewritten film for a new and a changed video", async () => {
    const upload_id = await upload("h264-silent-late.mp4");
    await film.job.run();
    const { id, duration_seconds } = await course.add({ upload_id });
    const object = await objectOf(id);
    expect([object === upload_id, duration_seconds]).toEqual([false, 0.5]);
    const [facts] = await course.app.sql("select codecs from films where object_id = $1", [object]);
    expect(facts).toEqual({ codecs: ["avc1.64000a"] });
    expect((await course.change(id, { upload_id, title: "The same film" })).body).toMatchObject({ duration_seconds: 0.5 });
    expect(await objectOf(id)).toBe(object);
    expect(typesOf(await bytesOf(await play(course.unpaid, id)))).toEqual(["ftyp", "free", "moov", "mdat"]);
    expect(outcome(await course.operator.call("POST", "/api/videos", { ...lesson, upload_id }))).toEqual([409, "upload_used"]);
  });

  it("serves the old bytes to earlier links while the viewer may play the film", async () => {
    const { id } = await videoOf("h264-aac-late.mp4");
    const link = await play(course.starter, id);
    await film.job.run();
    expect((await bytesOf(link)).equals(await filmSample("h264-aac-late.mp4"))).toBe(true);
    expect(typesOf(await bytesOf(await play(course.starter, id)))[2]).toBe("moov");
    await course.change(id, { package_type: "advanced" });
    expect((await fetch(link)).status).toBe(403);
    await course.change(id, { package_type: "both" });
    expect((await fetch(link)).status).toBe(200);
    await course.operator.call("DELETE", `/api/videos/${id}`);
    expect((await fetch(link)).status).toBe(404);
  });

  it("keeps an upload whose copy a video has, and deletes one with its unused copy", async () => {
    const [used, unused] = [await upload("h264-aac-late.mp4"), await upload("h264-aac-late.mp4")];
    const { id } = await course.add({ upload_id: used });
    const link = await play(course.starter, id);
    await film.job.run();
    const copies = await course.app.sql<any>("select replaced_by from stored_objects where id = $1", [unused]);
    const remove = (uploadId: string): Promise<Answer> =>
      uploader(course.app, course.operator).remove(`/storage/v1/upload/resumable/${uploadId}`);
    expect([outcome(await remove(used)), outcome(await remove(unused))]).toEqual([
      [409, "upload_used"],
      [204, undefined],
    ]);
    expect((await fetch(link)).status).toBe(200);
    const left = "select 1 from stored_objects where id = any($1)";
    expect(await course.app.sql(left, [[unused, copies[0]!.replaced_by]])).toEqual([]);
  });

  it("prepares films that an earlier version stored", async () => {
    const videos = [await videoOf("h264-aac-late.mp4"), await videoOf("h264-aac-three-tracks-late.mp4")];
    await course.app.sql("delete from films");
    await film.job.run();
    for (const { id } of videos) expect((await listed(course.operator, id)).playability).toBe("plays");
  });

  it("prepares a film once when two processes start at the same time", async () => {
    const beside = filmJobOf(course.app);
    const videos = await Promise.all(Array.from({ length: 4 }, () => videoOf("h264-silent-late.mp4")));
    const before = await Promise.all(videos.map(({ id }) => objectOf(id)));
    await Promise.all([film.job.run(), beside.job.run(), film.job.run(), beside.job.run()]);
    const rows = await course.app.sql<any>(
      "select attempts, replaced_by from films join stored_objects on id = object_id where id = any($1)",
      [before],
    );
    expect(rows.map(({ attempts, replaced_by }) => [attempts, replaced_by !== null])).toEqual(before.map(() => [1, true]));
    await beside.close();
    expect(beside.errors).toEqual([]);
  });

  it("yields to a change of the video at the same time", async () => {
    const { id } = await videoOf("h264-aac-late.mp4");
    const lock = { text: "select 1 from videos where id = $1 for update", values: [id] };
    const use = { text: "select 1 from stored_objects where id = $1 for update", values: [await objectOf(id)] };
    await behindTransaction(course.app, lock, () => film.job.run(), use);
    expect((await listed(course.operator, id)).playability).toBe("plays");
  });
});

// VIDEO-6
describe("what is known of an uploaded film", () => {
  it.each([
    ["h264-aac-fast.mp4", "plays", 0.5],
    ["h264-fragmented.mp4", "plays", 0.5],
    ["vp9-opus.webm", "plays", 0.508],
    ["hevc-late.mp4", "video_codec", 0.5],
    ["h264-ac3-late.mp4", "audio_codec", 0.52],
    ["sound-only.mp4", "no_video", 0.5],
    ["prores.mov", "container", 0.5],
    ["h264-aac-encrypted.mp4", "encrypted", 0.5],
    ["mpeg4.avi", "container", null],
    ["wmv2.wmv", "container", null],
    ["flv1.flv", "container", null],
  ])("finds %s to be %s, and leaves its bytes unchanged", async (name, playability, duration_seconds) => {
    const { id } = await videoOf(name);
    const object = await objectOf(id);
    expect(await listed(course.operator, id)).toMatchObject({ playability: null, duration_seconds: null });
    await film.job.run();
    expect(await listed(course.operator, id)).toMatchObject({ playability, duration_seconds });
    const { playability: hidden, ...seen } = await listed(course.starter, id);
    expect([hidden, seen.duration_seconds]).toEqual([undefined, duration_seconds]);
    expect(await objectOf(id)).toBe(object);
    expect((await bytesOf(await play(course.starter, id))).equals(await filmSample(name))).toBe(true);
  });

  it("finds a truncated film to be damaged", async () => {
    const whole = await filmSample("h264-aac-fast.mp4");
    const upload_id = await uploader(course.app, course.operator).upload("course-videos", whole.subarray(0, -200), "cut.mp4");
    const { id } = await course.add({ upload_id });
    await film.job.run();
    expect((await listed(course.operator, id)).playability).toBe("damaged");
  });

  it("notifies open pages of the course when a film has been read", async () => {
    const changed: unknown[] = [];
    const unsubscribe = course.app.deps.changes.subscribe((event) => event.topic === "videos" && changed.push(event.id));
    const { id } = await videoOf("h264-aac-fast.mp4");
    // The notification of the lesson itself.
    await expect.poll(() => changed).toContain(id);
    changed.length = 0;
    await film.job.run();
    await expect.poll(() => changed.length).toBeGreaterThan(0);
    unsubscribe();
    expect((await listed(course.operator, id)).playability).toBe("plays");
  });

  it("reports nothing about a film at an outside address", async () => {
    const { id } = await course.add();
    await film.job.run();
    const video = await listed(course.operator, id);
    expect([video.duration_seconds, "playability" in video]).toEqual([null, false]);
  });
});

// FILE-7 and FILE-12. The last test, since the clock only goes forward.
describe("the film that was replaced", () => {
  it("deletes the old bytes of a rewritten film after a day", async () => {
    const { id } = await videoOf("h264-aac-late.mp4");
    const [old, { db, clock, objects, config }] = [await objectOf(id), course.app.deps];
    await film.job.run();
    const locks = new UploadLocks(db.$client, () => {});
    const sweepNow = (): Promise<void> => sweep({ db, clock, objects, buckets: [videoBucket(config)], locks });
    await sweepNow();
    expect(await objects.size(old)).toBeGreaterThan(0);
    course.app.clock.advance(25 * 3600);
    await sweepNow();
    await locks.close();
    expect([await objects.size(old), await objects.size(await objectOf(id))]).toEqual([undefined, expect.any(Number)]);
    // The sessions have ended by then.
    const url = await play(await admin(course.app), id);
    expect(await bytesOf(url)).toHaveLength((await objects.size(await objectOf(id)))!);
  });
});

it("writes nothing to the operator's log while films are prepared", () => {
  expect(film.errors).toEqual([]);
});
