import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { film, lesson, startCourse, type Course } from "../../../../tests/support/course/start-course.ts";
import { outcome, type Answer } from "../../../../tests/support/people.ts";

let course: Course;
beforeAll(async () => (course = await startCourse()));
beforeEach(() => course.app.sql("delete from videos"));
afterAll(() => course?.app.close());

const add = (key: string, fields: object): Promise<Answer> =>
  course.operator.call("POST", "/api/videos", { ...lesson, ...fields }, { "idempotency-key": key });
const list = async (): Promise<any[]> => (await course.operator.call("GET", "/api/videos")).body.items;

// VIDEO-9
describe("adding a video with a key", () => {
  it("adds a video once for one key, also an upload and when requests come at once", async () => {
    for (const source of [{ video_url: film }, { upload_id: await course.uploadFilm() }]) {
      const key = randomUUID();
      const answers = await Promise.all([add(key, source), add(key, source), add(key, source)]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(answers.map(({ body }) => body.id)).toEqual(Array(3).fill(answers[0].body.id));
      expect(outcome(await add(key, { ...source, title: "Another" }))).toEqual([409, "idempotency_key_reused"]);
    }
    expect(await list()).toHaveLength(2);
    await course.add();
    await course.add();
    expect(await list()).toHaveLength(4);
  });

  it("returns the video to a retry also once it was changed", async () => {
    const [key, upload_id] = [randomUUID(), await course.uploadFilm()];
    const { id } = (await add(key, { upload_id })).body;
    // The upload is deleted with that.
    await course.change(id, { title: "Changed", order_index: 7, video_url: film });
    const retry = await add(key, { upload_id });
    expect([retry.status, retry.body]).toEqual([201, expect.objectContaining({ id, title: "Changed", order_index: 7 })]);
    expect(outcome(await add(key, { upload_id, title: "Changed" }))).toEqual([409, "idempotency_key_reused"]);
    expect(await list()).toHaveLength(1);
  });

  it("returns a video that an earlier version has added", async () => {
    const key = randomUUID();
    const { id } = (await add(key, { video_url: film })).body;
    await course.app.sql("update videos set idempotency_sha256 = null");
    expect((await add(key, { video_url: film })).body.id).toBe(id);
  });
});
