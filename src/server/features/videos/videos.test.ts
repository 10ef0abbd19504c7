import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { film, lesson, startCourse, type Course } from "../../../../tests/support/course/start-course.ts";
import { uploadScreenshot } from "../../../../tests/support/payments.ts";
import { outcome, unverifiedStudent, visitor, type Answer, type Person } from "../../../../tests/support/people.ts";
import { uploader } from "../../../../tests/support/uploads.ts";

let course: Course;
beforeAll(async () => (course = await startCourse()));
beforeEach(() => course.app.sql("delete from videos"));
afterAll(() => course?.app.close());

const list = async (who: Person, query = ""): Promise<any[]> => (await who.call("GET", `/api/videos${query}`)).body.items;
const objectExists = async (id: string): Promise<boolean> => {
  const rows = await course.app.sql("select 1 from stored_objects where id = $1", [id]);
  const files = await readdir(join(course.app.deps.config.files.dataDir, "objects"));
  expect(files.includes(id)).toBe(rows.length === 1);
  return rows.length === 1;
};

describe("the list of videos", () => {
  it("lists videos by module, order index and id, in pages without gaps", async () => {
    for (const [module, order_index] of [
      ["SMC Course", 2],
      ["Forex Basics", 2],
      ["SMC Course", 1],
      ["Forex Basics", 1],
      ["Forex Basics", 2],
    ]) {
      await course.add({ module, order_index });
    }
    const whole = await list(course.unpaid);
    expect(whole.map((video) => `${video.module} ${video.order_index}`)).toEqual([
      "Forex Basics 1",
      "Forex Basics 2",
      "Forex Basics 2",
      "SMC Course 1",
      "SMC Course 2",
    ]);
    const paged: unknown[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const answer: Answer = await course.unpaid.call("GET", `/api/videos?limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...answer.body.items);
      cursor = answer.body.next_cursor;
    }
    expect(paged).toEqual(whole);
  });

  it("refuses a malformed cursor of the list of videos", async () => {
    for (const keys of [["a"], ["a", "x", randomUUID()], ["a", "1", "no id"], ["a", "99999999999", randomUUID()]]) {
      const cursor = Buffer.from(JSON.stringify(keys)).toString("base64url");
      expect((await course.unpaid.call("GET", `/api/videos?cursor=${cursor}`)).body.code).toBe("invalid_input");
    }
  });

  it("lists every video for every student, playable as the tier allows", async () => {
    for (const [order, package_type] of ["both", "starter", "advanced"].entries())
      await course.add({ order_index: order + 1, package_type });
    const playable = async (who: Person) => (await list(who)).map((video) => video.playable);
    expect(await playable(course.unpaid)).toEqual([true, false, false]);
    expect(await playable(course.starter)).toEqual([true, true, false]);
    expect(await playable(course.advanced)).toEqual([true, true, true]);
    expect(await playable(course.operator)).toEqual([true, true, true]);
  });

  it("leaves addresses of locked videos and names of uploaded files out of the list", async () => {
    const upload_id = await course.uploadFilm();
    await course.add({ package_type: "advanced", video_url: "https://films.example/secret" });
    await course.add({ package_type: "both", upload_id });
    const answer = await course.starter.call("GET", "/api/videos");
    expect(answer.body.items.map((video: any) => [video.source, video.playable, video.video_url])).toEqual(
      expect.arrayContaining([
        ["url", false, undefined],
        ["upload", true, undefined],
      ]),
    );
    const text = JSON.stringify(answer.body);
    expect(text).not.toContain("films.example");
    expect(text).not.toContain(upload_id);
    expect((await list(course.advanced)).map((video) => video.video_url)).toContain("https://films.example/secret");
  });

  it("refuses the list of videos to visitors and unverified students", async () => {
    expect(outcome(await visitor(course.app).call("GET", "/api/videos"))).toEqual([401, "not_signed_in"]);
    expect(outcome(await (await unverifiedStudent(course.app)).call("GET", "/api/videos"))).toEqual([
      403,
      "email_not_verified",
    ]);
  });
});

describe("adding a video", () => {
  it("refuses a video without a file and an address", async () => {
    const answer = await course.operator.call("POST", "/api/videos", lesson);
    expect([answer.status, answer.body.error]).toEqual([400, "Please either upload a video file or provide a video URL"]);
    expect((await course.operator.call("POST", "/api/videos", { ...lesson, upload_id: null, video_url: null })).status).toBe(
      400,
    );
  });

  it("takes the upload when a video has an upload and an address", async () => {
    expect(await course.add({ upload_id: await course.uploadFilm(), video_url: film })).toMatchObject({
      source: "upload",
      playable: true,
    });
  });

  it("refuses a video whose upload is unknown, unfinished or a screenshot", async () => {
    const unfinished = await uploader(course.app, course.operator).start("course-videos", 5000);
    const location = unfinished.headers.get("location") ?? "";
    const screenshot = await uploadScreenshot(course.unpaid);
    for (const upload_id of [randomUUID(), location.slice(location.lastIndexOf("/") + 1), screenshot]) {
      expect(outcome(await course.operator.call("POST", "/api/videos", { ...lesson, upload_id }))).toEqual([
        404,
        "upload_not_found",
      ]);
    }
  });

  // FILE-12
  it("gives a video the copy that has replaced its upload", async () => {
    const [upload_id, copy] = [await course.uploadFilm(), await course.uploadFilm()];
    await course.app.sql("update stored_objects set replaced_by = $2, replaced_at = now() where id = $1", [upload_id, copy]);
    const { id } = await course.add({ upload_id });
    expect(await course.app.sql("select object_id from videos where id = $1", [id])).toEqual([{ object_id: copy }]);
  });

  it("lets one video have an upload when six are added at once", async () => {
    const upload_id = await course.uploadFilm();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => course.operator.call("POST", "/api/videos", { ...lesson, upload_id })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 201) expect(outcome(answer)).toEqual([409, "upload_used"]);
  });

  it.each([
    ["without a title", { title: " " }],
    ["without a module", { module: "" }],
    ["with an order index of 0", { order_index: 0 }],
    ["with an order index in text", { order_index: "1" }],
    ["of an unknown package", { package_type: "gold" }],
    ["at a malformed address", { video_url: "films" }],
    ["at an address that runs a script", { video_url: "javascript:alert(1)" }],
  ])("refuses a video %s", async (_what, fields) => {
    const answer = await course.operator.call("POST", "/api/videos", { ...lesson, video_url: film, ...fields });
    expect(outcome(answer)).toEqual([400, expect.stringMatching(/invalid/)]);
  });

  it("refuses changes of the course to students and visitors", async () => {
    for (const call of ["POST /api/videos", `PATCH /api/videos/${randomUUID()}`, `DELETE /api/videos/${randomUUID()}`]) {
      const [method = "", path = ""] = call.split(" ");
      expect(outcome(await course.advanced.call(method, path, lesson))).toEqual([403, "not_allowed"]);
      expect((await visitor(course.app).call(method, path, lesson)).status).toBe(401);
    }
  });
});

describe("changing a video", () => {
  it("changes the given fields of a video and leaves the others", async () => {
    const { id } = await course.add();
    const answer = await course.change(id, { title: "Candles, again", package_type: "starter" });
    expect(answer.body).toMatchObject({ ...lesson, title: "Candles, again", package_type: "starter", video_url: film });
    expect((await course.change(id, {})).body).toEqual(answer.body);
  });

  it("deletes a video's old file when it gets a new source", async () => {
    const [first, second] = [await course.uploadFilm(), await course.uploadFilm()];
    const { id } = await course.add({ upload_id: first });
    expect((await course.change(id, { upload_id: second })).body.source).toBe("upload");
    expect([await objectExists(first), await objectExists(second)]).toEqual([false, true]);
    expect((await course.change(id, { video_url: film })).body).toMatchObject({ source: "url", video_url: film });
    expect(await objectExists(second)).toBe(false);
  });

  it("keeps a video's file when it gets the same upload or only a new title", async () => {
    const upload_id = await course.uploadFilm();
    const { id } = await course.add({ upload_id });
    expect((await course.change(id, { upload_id, title: "Same film" })).status).toBe(200);
    expect((await course.change(id, { title: "New title", video_url: null, upload_id: null })).body.source).toBe("upload");
    expect(await objectExists(upload_id)).toBe(true);
  });

  it("refuses to change a video to no source, a used upload or an unknown one", async () => {
    const { id } = await course.add();
    for (const video_url of [null, ""]) {
      expect(outcome(await course.change(id, { video_url }))).toEqual([400, "video_source_missing"]);
    }
    const upload_id = await course.uploadFilm();
    await course.add({ upload_id });
    expect(outcome(await course.change(id, { upload_id }))).toEqual([409, "upload_used"]);
    expect(outcome(await course.change(id, { upload_id: randomUUID() }))).toEqual([404, "upload_not_found"]);
    expect((await list(course.operator)).find((video) => video.id === id).video_url).toBe(film);
  });

  it("replies 404 to a change of an unknown video", async () => {
    expect(outcome(await course.change(randomUUID(), { title: "T" }))).toEqual([404, "video_not_found"]);
  });
});

describe("deleting a video", () => {
  it("deletes a video's file with the video, once", async () => {
    const upload_id = await course.uploadFilm();
    const { id } = await course.add({ upload_id });
    expect((await course.operator.call("DELETE", `/api/videos/${id}`)).body).toEqual({ deleted: true });
    expect(await objectExists(upload_id)).toBe(false);
    expect(outcome(await course.operator.call("DELETE", `/api/videos/${id}`))).toEqual([404, "video_not_found"]);
  });
});

describe("what the admin does to the course", () => {
  it("records changes of the course in the audit log, with actor and address", async () => {
    const { id } = await course.add({ title: "Noted" });
    await course.change(id, { title: "Noted twice" });
    await course.operator.call("DELETE", `/api/videos/${id}`);
    const entries = await course.app.sql<any>("select * from audit_log where subject_id = $1 order by id", [id]);
    expect(entries.map((entry) => [entry.action, entry.details.title])).toEqual([
      ["video.create", "Noted"],
      ["video.update", "Noted twice"],
      ["video.delete", "Noted twice"],
    ]);
    expect(entries[0]).toMatchObject({
      actor_id: course.operator.id,
      subject_type: "video",
      ip: expect.stringMatching(/127|::1/),
    });
  });
});
