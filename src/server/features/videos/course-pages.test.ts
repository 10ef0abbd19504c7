import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { startCourse, type Course } from "../../../../tests/support/course/start-course.ts";
import { student, withSession, type Person } from "../../../../tests/support/people.ts";

let course: Course;
/** Another process on the same database. */
let other: TestApp;
/** No change of the database reaches either of them. */
beforeAll(async () => {
  course = await startCourse();
  other = await startApp({ beside: course.app });
  await Promise.all([course.app.deps.changes.close(), other.deps.changes.close()]);
});
afterAll(async () => {
  await other?.close();
  await course?.app.close();
});

let lessonId: string;
const captionsId = randomUUID();
const attachmentId = randomUUID();
beforeEach(async () => {
  await course.app.sql("truncate videos, module_order, video_captions, video_attachments, films cascade");
  await course.app.sql("delete from stored_objects");
  for (const [id, bucket] of [
    [captionsId, "lesson-captions"],
    [attachmentId, "lesson-attachments"],
  ])
    await course.app.sql(
      "insert into stored_objects (id, bucket, name, filename, content_type, size, created_at) values ($1::uuid, $2, $1::text, 'notes.pdf', 'application/pdf', 7, now())",
      [id, bucket],
    );
  lessonId = (await course.add({ title: "First" })).id;
  await course.add({ title: "Second", order_index: 2, package_type: "advanced" });
});

const inOther = (who: Person): Person =>
  withSession(other, who, { access_token: who.accessToken!, refresh_token: who.refreshToken! });
const list = async (who: Person, query = ""): Promise<any[]> => (await who.call("GET", `/api/videos${query}`)).body.items;

// VIDEO-1, LIVE-1: kept pages of the list are never old, whatever the change feed brings.
describe("a kept page of the course", () => {
  it.each([
    ["a title", "update videos set title = 'Renamed' where id = $1"],
    ["a package", "update videos set package_type = 'advanced' where id = $1"],
    ["a lesson that is gone", "delete from videos where id = $1"],
    ["the end of the course", "with gone as (select $1::uuid) delete from videos"],
    ["an order of modules", "insert into module_order (module, position) select module, 1 from videos where id = $1"],
    [
      "captions",
      `insert into video_captions (video_id, language, label, object_id) values ($1, 'en', 'English', '${captionsId}')`,
    ],
    [
      "an attachment",
      `insert into video_attachments (id, video_id, object_id, created_at) values (gen_random_uuid(), $1, '${attachmentId}', now())`,
    ],
  ])("is read anew after %s was changed by anybody", async (_name, change) => {
    const before = [await list(course.advanced), await list(inOther(course.advanced))];
    expect(before[0]).toEqual(before[1]);
    await course.app.sql(change, [lessonId]);
    const after = [await list(course.advanced), await list(inOther(course.advanced))];
    expect(after[0]).toEqual(after[1]);
    expect(after[0]).not.toEqual(before[0]);
  });

  it.each([
    ["the length of a film", "update films set duration_seconds = 99"],
    ["the name of a film's file", "update stored_objects set filename = 'better.mp4' where bucket = 'course-videos'"],
    ["every lesson at once", "truncate videos cascade"],
  ])("is read anew after %s was changed by anybody", async (_name, change) => {
    const { id } = await course.add({ title: "Film", order_index: 3, upload_id: await course.uploadFilm() });
    await course.app.sql(
      `insert into films (object_id, playability, duration_seconds, next_attempt_at) select object_id, 'plays', 60, null from videos where id = $1
       on conflict (object_id) do update set playability = 'plays', duration_seconds = 60, next_attempt_at = null`,
      [id],
    );
    const before = await list(inOther(course.operator));
    expect(before.at(-1)).toMatchObject({ film_filename: "lesson.mp4", duration_seconds: 60 });
    await course.app.sql(change);
    expect(await list(inOther(course.operator))).not.toEqual(before);
  });

  it("has a change from its commit on, not before, and not after a rollback", async () => {
    const client = new pg.Client(course.app.deps.db.$client.options);
    await client.connect();
    try {
      for (const end of ["rollback", "commit"]) {
        const before = await list(course.starter);
        await client.query("begin");
        await client.query("update videos set title = 'Changed' where id = $1", [lessonId]);
        expect(await list(course.starter)).toEqual(before);
        await client.query(end);
        expect((await list(course.starter)).some(({ title }) => title === "Changed")).toBe(end === "commit");
      }
    } finally {
      await client.end();
    }
  });

  it("is not that of rows which were replaced by older ones, as of a copy from before", async () => {
    const [{ version }] = (await course.app.sql("select version from course_version")) as [{ version: string }];
    await course.app.sql("update videos set title = 'Lost' where id = $1", [lessonId]);
    expect((await list(course.starter))[0].title).toBe("Lost");
    await course.app.sql("alter table videos disable trigger user");
    await course.app.sql("update videos set title = 'First' where id = $1", [lessonId]);
    await course.app.sql("update course_version set version = $1", [version]);
    await course.app.sql("alter table videos enable trigger user");
    await course.app.sql("update videos set title = 'Later' where id = $1", [lessonId]);
    expect((await list(course.starter))[0].title).toBe("Later");
  });

  it("is not kept while the version of the course is missing", async () => {
    await course.app.sql("delete from course_version");
    for (const title of ["Once", "Twice"]) {
      await course.app.sql("update videos set title = $2 where id = $1", [lessonId, title]);
      expect((await list(course.starter))[0].title).toBe(title);
    }
    await course.app.sql("insert into course_version default values");
  });

  it("lets two transactions change the course in opposite order", async () => {
    const clients = [0, 1].map(() => new pg.Client(course.app.deps.db.$client.options));
    const [one, two] = clients as [pg.Client, pg.Client];
    await Promise.all(clients.map((client) => client.connect()));
    try {
      await one.query("begin; select from videos where title = 'Second' for update");
      await two.query("begin; insert into module_order (module, position) values ('Other', 9)");
      const waiting = two.query("update videos set title = 'Both' where title = 'Second'");
      const waiters = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(() => course.app.sql(waiters)).toHaveLength(1);
      await one.query("update videos set title = 'Once' where title = 'First'");
      await one.query("commit");
      await waiting;
      await two.query("commit");
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    expect(new Set((await list(course.advanced)).map(({ title }) => title))).toEqual(new Set(["Both", "Once"]));
  });

  it("has nothing of another viewer: no progress, no links, no other tier's lessons", async () => {
    await course.app.sql("update videos set package_type = 'starter' where id = $1", [lessonId]);
    const watching = await student(course.app, "starter");
    const place = { position_seconds: 12, duration_seconds: 100 };
    expect((await watching.call("PUT", `/api/videos/${lessonId}/progress`, place)).status).toBe(200);
    expect((await list(watching)).map(({ progress }) => progress?.position_seconds)).toEqual([12, undefined]);
    expect((await list(course.starter)).map(({ progress }) => progress)).toEqual([null, null]);
    expect((await list(course.unpaid)).map(({ video_url }) => video_url)).toEqual([undefined, undefined]);
    expect((await list(course.starter)).map(({ video_url }) => video_url !== undefined)).toEqual([true, false]);
    expect((await list(course.advanced)).map(({ video_url }) => video_url !== undefined)).toEqual([true, true]);
    expect((await list(course.operator, "?as=unpaid")).map(({ playable }) => playable)).toEqual([false, false]);
    const insertCaptions = `insert into video_captions (video_id, language, label, object_id) values ($1, 'en', 'English', '${captionsId}')`;
    await course.app.sql(insertCaptions, [lessonId]);
    const links = await Promise.all([watching, course.starter].map(async (who) => (await list(who))[0].captions[0].url));
    expect(new Set(links).size).toBe(2);
  });

  it("is that of each limit and cursor, however many are asked for", async () => {
    for (const limit of [1, 2, 1]) expect(await list(course.unpaid, `?limit=${limit}`)).toHaveLength(limit);
    const cursors = Array.from({ length: 150 }, (_none, index) =>
      Buffer.from(JSON.stringify(["A", String(index), lessonId])).toString("base64url"),
    );
    for (const cursor of cursors) expect(await list(course.unpaid, `?cursor=${cursor}`)).toHaveLength(2);
  });
});
