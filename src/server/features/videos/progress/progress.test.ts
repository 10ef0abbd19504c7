import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { outcome, student, type Answer, type Person } from "../../../../../tests/support/people.ts";

/** WATCH-1, WATCH-2. */
let course: Course;
let watcher: Person;
let id: string;
beforeAll(async () => (course = await startCourse()));
beforeEach(async () => {
  await course.app.sql("delete from videos");
  watcher = await student(course.app, "starter");
  ({ id } = await course.add({ package_type: "starter" }));
});
afterAll(() => course?.app.close());

const save = (who: Person, position_seconds: number, more: Record<string, unknown> = {}): Promise<Answer> =>
  who.call("PUT", `/api/videos/${id}/progress`, { position_seconds, duration_seconds: 100, ...more });
const progressOf = async (who: Person): Promise<unknown> => (await who.call("GET", "/api/videos")).body.items[0].progress;
const progressAtPlay = async (who: Person, video = id): Promise<any> =>
  (await who.call("POST", `/api/videos/${video}/play`)).body.progress;
const stored = async (): Promise<any> => (await course.app.sql("select * from video_progress"))[0];

describe("the progress in a lesson", () => {
  // WATCH-3
  it("goes on at the beginning of a film that is not longer than where it was left", async () => {
    const object_id = await course.uploadFilm();
    await course.change(id, { upload_id: object_id });
    await save(watcher, 60);
    const resumesAt = async (): Promise<number> => (await progressAtPlay(watcher)).position_seconds;
    expect(await resumesAt()).toBe(60);
    const measure = (seconds: number) =>
      course.app.sql(
        `insert into films (object_id, playability, duration_seconds) values ($1, 'plays', $2)
         on conflict (object_id) do update set duration_seconds = $2`,
        [object_id, seconds],
      );
    await measure(60.1);
    expect(await resumesAt()).toBe(60);
    expect(await progressOf(watcher)).toMatchObject({ position_seconds: 60 });
    await measure(60);
    expect(await resumesAt()).toBe(0);
    expect(await progressOf(watcher)).toMatchObject({ position_seconds: 0 });
  });

  it("lists and plays progress for its student alone, and null before a first play", async () => {
    expect(await progressOf(watcher)).toBeNull();
    const answer = await save(watcher, 12.5);
    expect([answer.status, answer.body]).toEqual([200, { position_seconds: 12.5, done: false }]);
    expect(await progressOf(watcher)).toEqual({
      position_seconds: 12.5,
      done: false,
      watched_at: course.app.clock.now().toISOString(),
    });
    expect(await progressOf(course.starter)).toBeNull();
    const other = await course.add({ package_type: "starter" });
    expect(await progressAtPlay(watcher)).toEqual({ position_seconds: 12.5, done: false });
    expect(await progressAtPlay(watcher, other.id)).toBeNull();
    expect(await progressAtPlay(course.starter)).toBeNull();
  });

  it("stores the last position, the furthest one, and the times of start and change", async () => {
    const begun = course.app.clock.now();
    await save(watcher, 100);
    course.app.clock.advance(10);
    await save(watcher, 20);
    expect(await stored()).toMatchObject({
      position_seconds: 20,
      furthest_seconds: 100,
      duration_seconds: 100,
      started_at: begun,
      updated_at: course.app.clock.now(),
    });
  });

  it("begins the furthest position anew in a film of another length", async () => {
    await save(watcher, 80);
    await save(watcher, 5, { duration_seconds: 0 });
    await save(watcher, 6, { duration_seconds: 99.5 });
    expect(await stored()).toMatchObject({ furthest_seconds: 80 });
    await save(watcher, 5, { duration_seconds: 50 });
    expect(await stored()).toMatchObject({ furthest_seconds: 5, duration_seconds: 50 });
    await save(watcher, 4, { duration_seconds: 200 });
    expect(await stored()).toMatchObject({ furthest_seconds: 4, duration_seconds: 200 });
    // As earlier versions left it.
    await course.app.sql("update video_progress set furthest_seconds = 80");
    await save(watcher, 7, { duration_seconds: 50 });
    expect(await stored()).toMatchObject({ furthest_seconds: 7 });
  });

  it("keeps the furthest position when several devices save at once", async () => {
    await save(watcher, 1);
    // The furthest comes first, and none has read what another one writes.
    const saves = () => Promise.all([11, 4, 3, 2].map((seconds) => save(watcher, seconds)));
    const answers = await behindTransaction(course.app, { text: "select from video_progress for update" }, saves, undefined, 4);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await stored()).toMatchObject({ furthest_seconds: 11 });
  });

  it("stores a position a second past the end as the end", async () => {
    expect((await save(watcher, 100.9)).body.position_seconds).toBe(100);
  });

  it("keeps the length of a film when a later save has none", async () => {
    await save(watcher, 50);
    expect((await save(watcher, 0, { duration_seconds: 0 })).status).toBe(200);
    expect(await stored()).toMatchObject({ duration_seconds: 100 });
  });

  it("keeps the position in a film when a later save has no length", async () => {
    await save(watcher, 50);
    expect((await save(watcher, 0, { duration_seconds: 0 })).body).toEqual({ position_seconds: 50, done: false });
  });

  it.each([
    ["a position before the film", { position_seconds: -1 }],
    ["a position behind the film", { position_seconds: 101.5 }],
    ["a film of more than a day", { duration_seconds: 86_401 }],
    ["a position in text", { position_seconds: "1" }],
    ["no position", { position_seconds: undefined }],
    ["a done that is neither true nor false", { done: null }],
  ])("refuses %s and stores nothing", async (_what, fields) => {
    expect(outcome(await save(watcher, 1, fields))).toEqual([400, "invalid_input"]);
    expect(await stored()).toBeUndefined();
  });

  it("refuses a position that is not finite", async () => {
    const reply = await fetch(`${course.app.url}/api/videos/${id}/progress`, {
      method: "PUT",
      headers: { authorization: `Bearer ${watcher.accessToken}`, "content-type": "application/json" },
      body: '{"position_seconds":1,"duration_seconds":1e999}',
    });
    expect(reply.status).toBe(400);
  });

  it("saves progress only of those who may play the lesson at that time", async () => {
    expect(outcome(await save(course.unpaid, 1))).toEqual([403, "video_locked"]);
    await save(watcher, 1);
    await course.app.sql("update profiles set subscription_status = 'unpaid' where id = $1", [watcher.id]);
    expect(outcome(await save(watcher, 2))).toEqual([403, "video_locked"]);
    expect(await progressOf(watcher)).toMatchObject({ position_seconds: 1, done: false });
    const missing = await watcher.call("PUT", `/api/videos/${randomUUID()}/progress`, {
      position_seconds: 1,
      duration_seconds: 2,
    });
    expect(outcome(missing)).toEqual([404, "video_not_found"]);
  });

  it.each([
    ["videos", 404, "video_not_found"],
    ["accounts", 401, "not_signed_in"],
  ])("refuses a position when its row of %s is deleted meanwhile", async (table, status, code) => {
    const deletion = { text: `delete from ${table} where id in ($1, $2)`, values: [id, watcher.id] };
    expect(outcome(await behindTransaction(course.app, deletion, () => save(watcher, 1)))).toEqual([status, code]);
  });

  it("signs nobody out for a position that cannot be stored", async () => {
    await course.app.sql("create function refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$");
    await course.app.sql("create trigger refuse before insert on video_progress for each row execute function refuse()");
    try {
      expect(outcome(await save(watcher, 1))).toEqual([500, "unexpected"]);
    } finally {
      await course.app.sql("drop function refuse cascade");
    }
  });

  it("deletes progress with its account and with its lesson", async () => {
    await save(watcher, 1);
    await save(course.starter, 1);
    await course.app.sql("delete from accounts where id = $1", [watcher.id]);
    expect(await course.app.sql("select account_id from video_progress")).toEqual([{ account_id: course.starter.id }]);
    await course.operator.call("DELETE", `/api/videos/${id}`);
    expect(await stored()).toBeUndefined();
  });
});

describe("a lesson", () => {
  const isDone = async (...positions: number[]): Promise<boolean> => {
    let done = false;
    for (const position of positions) ({ done } = (await save(watcher, position)).body);
    return done;
  };

  it("marks a lesson as done at 90%, and never as not done by itself", async () => {
    expect(await isDone(89.9)).toBe(false);
    expect(await isDone(90)).toBe(true);
    const { done_at } = await stored();
    course.app.clock.advance(60);
    expect(await isDone(3, 95)).toBe(true);
    expect((await stored()).done_at).toEqual(done_at);
  });

  it("marks a lesson as done when the first position saved is past 90%", async () => {
    expect(await isDone(95)).toBe(true);
  });

  it("marks a lesson as done past 90% of a film that replaced a longer one", async () => {
    await save(watcher, 95, { duration_seconds: 200 });
    expect(await isDone(97)).toBe(true);
  });

  it("marks a lesson as done or not done by hand, at any position", async () => {
    expect((await save(watcher, 1, { done: true })).body).toEqual({ position_seconds: 1, done: true });
    expect((await save(watcher, 2)).body.done).toBe(true);
    expect((await save(watcher, 2, { done: false })).body.done).toBe(false);
    expect((await stored()).done_at).toBeNull();
  });

  it("keeps a lesson not done that was so marked near its end, until 90% is passed", async () => {
    await save(watcher, 95);
    await save(watcher, 95, { done: false });
    expect(await isDone(97, 100)).toBe(false);
    expect(await isDone(10, 91)).toBe(true);
  });

  it("keeps a lesson not done also where another player states another length", async () => {
    await save(watcher, 95, { done: false });
    for (const duration_seconds of [101.5, 98, 100]) {
      expect((await save(watcher, 96, { duration_seconds })).body.done).toBe(false);
    }
    await save(watcher, 10);
    expect((await save(watcher, 92, { duration_seconds: 101.5 })).body.done).toBe(true);
  });

  it("marks a lesson as done between the 90% of two lengths of one film", async () => {
    await save(watcher, 89.9);
    expect((await save(watcher, 89.9, { duration_seconds: 99.5 })).body.done).toBe(true);
  });

  it("marks a lesson as done past 90% once its film's length is known", async () => {
    await save(watcher, 0, { duration_seconds: 0 });
    expect(await isDone(95)).toBe(true);
  });

  // WATCH-3
  it("has no position and is not done in a film of unknown length", async () => {
    expect((await save(watcher, 1, { duration_seconds: 0 })).body).toEqual({ position_seconds: 0, done: false });
  });
});
