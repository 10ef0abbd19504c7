import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPictureReader } from "#server/platform/pictures/picture-reader";
import { sweep } from "#server/platform/storage/sweep";
import { startApp } from "../../../../../tests/support/app.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { csv, posterForm } from "../../../../../tests/support/course/materials.ts";
import { admin, outcome, student, unverifiedStudent, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { storeWith } from "../../../../../tests/support/store-with.ts";
import { posterBucket } from "./buckets.ts";

let course: Course;
let lesson: any;
beforeAll(async () => {
  course = await startCourse();
  lesson = await course.add({ package_type: "advanced" });
});
afterAll(() => course?.app.close());

const photo = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "#1f7a5a" } })
    .withExif({ IFD0: { Artist: "Somebody", Copyright: "Nobody" } })
    .jpeg()
    .toBuffer();
const save = async (picture: Buffer, id = lesson.id, who = course.operator): Promise<Answer> =>
  who.call("PUT", `/api/videos/${id}/poster`, posterForm(new Uint8Array(picture)));
const lessonOf = async (who: Person): Promise<any> =>
  (await who.call("GET", "/api/videos")).body.items.find(({ id }: any) => id === lesson.id);
const open = (path: string): Promise<Response> => fetch(course.app.url + path);
const objectIds = async (): Promise<string[]> => {
  const ids: string[] = [];
  for await (const batch of course.app.deps.objects.ids()) ids.push(...batch);
  return ids;
};

// FILE-15
describe("the poster of a lesson", () => {
  it("stores a poster as a small WebP without metadata, visible on locked lessons too", async () => {
    expect((await lessonOf(course.unpaid)).poster_url).toBeNull();
    expect((await save(await photo(4000, 1000))).status).toBe(200);
    const { poster_url, playable } = await lessonOf(course.unpaid);
    expect([playable, poster_url]).toEqual([false, expect.stringMatching(/^\/storage\/v1\/object\/sign\/lesson-posters\//)]);
    const reply = await open(poster_url);
    const bytes = Buffer.from(await reply.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 1280, height: 320 });
    expect(bytes.includes("Somebody")).toBe(false);
    expect(reply.headers.get("content-type")).toBe("image/webp");
    expect(reply.headers.get("content-disposition")).toContain('filename="poster.webp"');
    // The bytes that were sent are gone.
    expect((await objectIds()).length).toBe(1);
  });

  it("replaces and removes a poster with its file", async () => {
    const before = (await lessonOf(course.starter)).poster_url;
    const answer = await save(await photo(200, 100));
    expect(answer.body.poster_url).not.toBe(before);
    expect((await open(before)).status).toBe(404);
    const remove = (): Promise<Answer> => course.operator.call("DELETE", `/api/videos/${lesson.id}/poster`);
    expect((await remove()).body.poster_url).toBeNull();
    expect(await objectIds()).toEqual([]);
    expect(outcome(await remove())).toEqual([404, "poster_not_found"]);
  });

  it("opens a poster to no deleted or unverified account", async () => {
    await save(await photo(200, 100));
    const leaver = await student(course.app);
    const { poster_url } = await lessonOf(leaver);
    expect((await open(poster_url)).status).toBe(200);
    await course.app.sql("update accounts set email_verified_at = null where id = $1", [leaver.id]);
    expect((await open(poster_url)).status).toBe(403);
    await course.app.sql("update accounts set email_verified_at = now() where id = $1", [leaver.id]);
    expect((await open(poster_url)).status).toBe(200);
    await course.operator.call("DELETE", `/functions/v1/admin-users?userId=${leaver.id}`);
    expect((await open(poster_url)).status).toBe(403);
    expect((await (await unverifiedStudent(course.app)).call("GET", "/api/videos")).status).toBe(403);
  });

  it("opens no poster that its lesson no longer has", async () => {
    const { poster_url } = await lessonOf(course.starter);
    expect((await open(poster_url)).status).toBe(200);
    await course.app.sql("update videos set poster_object_id = null where id = $1", [lesson.id]);
    expect((await open(poster_url)).status).toBe(403);
    await save(await photo(200, 100));
    expect((await open((await lessonOf(course.starter)).poster_url)).status).toBe(200);
  });

  // ADMIN-4
  it("writes saved and removed posters to the audit log", async () => {
    const { id, title } = await course.add();
    const saved: string[] = [];
    for (const width of [200, 300]) {
      await save(await photo(width, 100), id);
      const [video] = await course.app.sql<any>("select poster_object_id from videos where id = $1", [id]);
      saved.push(video.poster_object_id);
    }
    await course.operator.call("DELETE", `/api/videos/${id}/poster`);
    const entries = await course.app.sql(
      "select action, details from audit_log where subject_id = $1 and action <> 'video.create' order by id",
      [id],
    );
    const [none, first, second] = [null, ...saved].map((poster_object_id) => ({ poster_object_id }));
    expect(entries).toEqual([
      { action: "video.poster.save", details: { title, before: none, after: first } },
      { action: "video.poster.save", details: { title, before: first, after: second } },
      { action: "video.poster.remove", details: { title, before: second } },
    ]);
  });

  it.each([
    ["a text", csv, 400, "poster_invalid"],
    ["an SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), 400, "poster_invalid"],
    ["half a picture", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), 400, "poster_invalid"],
    ["nothing", Buffer.alloc(0), 400, "poster_invalid"],
    ["10 MB", Buffer.alloc(10 * 1024 ** 2, 255), 413, "poster_too_large"],
  ] as const)("refuses as a poster %s, and leaves nothing behind", async (_what, picture, status, code) => {
    const [before, stored] = [await lessonOf(course.operator), await objectIds()];
    expect(outcome(await save(picture))).toEqual([status, code]);
    expect([await lessonOf(course.operator), (await objectIds()).toSorted()]).toEqual([before, stored.toSorted()]);
  });

  it("refuses what is no picture without room for it on the disk", async () => {
    const full = await startApp({ beside: course.app, readDisk: () => Promise.resolve({ free: 0, total: 1024 ** 4 }) });
    try {
      const operator = await admin(full);
      expect(outcome(await save(csv, lesson.id, operator))).toEqual([400, "poster_invalid"]);
      expect(outcome(await save(await photo(20, 10), lesson.id, operator))).toEqual([503, "insufficient_storage"]);
    } finally {
      await full.close();
    }
  });

  it("needs room on the disk for the sent picture, and no success in removing it", async () => {
    const picture = await photo(4000, 1000);
    const objects = storeWith(course.app.deps.objects, { remove: () => Promise.reject(new Error("EBUSY")) });
    let free = 1024 ** 3 + picture.length - 1;
    const nearlyFull = await startApp({
      beside: course.app,
      readDisk: () => Promise.resolve({ free, total: 1024 ** 4 }),
    });
    const stuck = await startApp({ beside: course.app, parts: { objects } });
    try {
      const { id } = await course.add();
      expect(outcome(await save(picture, id, await admin(nearlyFull)))).toEqual([503, "insufficient_storage"]);
      free += 1;
      expect((await save(picture, id, await admin(nearlyFull))).status).toBe(200);
      expect((await save(picture, id, await admin(stuck))).status).toBe(200);
    } finally {
      await nearlyFull.close();
      await stuck.close();
    }
  });

  it("refuses a decompression bomb as a poster", async () => {
    const bomb = await sharp({
      create: { width: 19_000, height: 6000, channels: 3, background: "#000" },
      limitInputPixels: false,
    })
      .png()
      .toBuffer();
    expect(outcome(await save(bomb))).toEqual([400, "poster_invalid"]);
  });

  it("keeps the former poster when no decoder is available", async () => {
    const before = (await lessonOf(course.operator)).poster_url;
    expect(before).not.toBeNull();
    const beside = await startApp({ beside: course.app, parts: { pictures: openPictureReader("/nowhere/picture-worker.js") } });
    try {
      const operator = await admin(beside);
      const answer = await operator.call(
        "PUT",
        `/api/videos/${lesson.id}/poster`,
        posterForm(new Uint8Array(await photo(20, 10))),
      );
      expect([outcome(answer), answer.headers.get("retry-after")]).toEqual([[503, "unavailable"], "10"]);
    } finally {
      await beside.close();
    }
    expect((await lessonOf(course.operator)).poster_url).toBe(before);
  });

  // FILE-7
  it("sweeps a poster that no lesson has had for a day, and not before", async () => {
    const { db, clock, objects } = course.app.deps;
    const locks = { ifFree: async (_id: string, action: () => Promise<void>) => action() };
    const clean = (): Promise<void> => sweep({ db, clock, objects, buckets: [posterBucket], locks });
    course.app.clock.advance(25 * 3600);
    await clean();
    const [used] = await objectIds();
    expect(used).toBeDefined();
    await course.app.sql("update videos set poster_object_id = null");
    await clean();
    expect(await objectIds()).toEqual([]);
  });
});
