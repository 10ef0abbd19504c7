import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxCaptionLanguages } from "#domain/materials/attachment";
import { openCaptionReader } from "#server/platform/captions/caption-reader";
import { sweep } from "#server/platform/storage/sweep";
import { startApp } from "../../../../../tests/support/app.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { captionsForm, webVtt } from "../../../../../tests/support/course/materials.ts";
import { admin, outcome, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { captionBucket } from "./buckets.ts";

let course: Course;
let lesson: any;
beforeAll(async () => {
  course = await startCourse();
  lesson = await course.add({ package_type: "starter" });
});
afterAll(() => course?.app.close());

const save = (form: unknown, who: Person = course.operator, id = lesson.id): Promise<Answer> =>
  who.call("POST", `/api/videos/${id}/captions`, form);
const lessonOf = async (who: Person): Promise<any> =>
  (await who.call("GET", "/api/videos")).body.items.find(({ id }: any) => id === lesson.id);
const open = (path: string): Promise<Response> => fetch(course.app.url + path);

// FILE-13
describe("captions of a lesson", () => {
  it("stores captions as plain WebVTT and serves them to who may play the lesson", async () => {
    const styled = webVtt.replace("First", "<b>First</b> <script>x</script>");
    const answer = await save(captionsForm(`\ufeff${styled}`, "EN-us", "English"));
    expect([answer.status, answer.body.captions]).toEqual([
      201,
      [{ language: "en-US", label: "English", url: expect.stringMatching(/^\/storage\/v1\/object\/sign\/lesson-captions\//) }],
    ]);
    const reply = await open((await lessonOf(course.starter)).captions[0].url);
    expect(await reply.text()).toBe(
      "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<b>First</b> x line\n\n00:00:03.000 --> 00:00:04.000\nสวัสดี\n",
    );
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "text/vtt",
      "x-content-type-options": "nosniff",
      "content-disposition": expect.stringMatching(/^attachment; filename="en-US\.vtt"/),
      "content-security-policy": expect.stringContaining("sandbox"),
      "cache-control": "private, max-age=3600",
    });
    expect((await lessonOf(course.unpaid)).captions).toEqual([]);
  });

  it("keeps the address of captions for hours, and stops it with the tier", async () => {
    // The addresses of a list change every twelve hours.
    const secondsLeft = 43_200 - ((course.app.clock.now().getTime() / 1000) % 43_200);
    if (secondsLeft <= 60) course.app.clock.advance(secondsLeft);
    const { url } = (await lessonOf(course.starter)).captions[0];
    course.app.clock.advance(60);
    expect((await lessonOf(course.starter)).captions[0].url).toBe(url);
    const setTier = (newRole: string): Promise<Answer> =>
      course.operator.call("PUT", "/functions/v1/admin-users", { userId: course.starter.id, newRole });
    await setTier("unpaid");
    expect((await open(url)).status).toBe(403);
    await setTier("starter");
    expect((await open(url)).status).toBe(200);
    expect((await open(url.replace("lesson-captions", "lesson-posters"))).status).toBe(403);
    expect((await open(url.replace("lesson-captions", "course-videos"))).status).toBe(403);
    expect((await open(url.replace(".vtt", ".vtt%2F..%2F..%2Fsecrets.json"))).status).toBe(403);
  });

  it("replaces captions of a language and deletes the former file", async () => {
    const [before] = (await lessonOf(course.operator)).captions;
    await save(captionsForm(webVtt, "th", "ไทย"));
    const answer = await save(captionsForm(webVtt.replace("First", "Second"), "en-US", "American"));
    expect(answer.body.captions.map(({ language, label }: any) => [language, label])).toEqual([
      ["en-US", "American"],
      ["th", "ไทย"],
    ]);
    expect((await open(before.url)).status).toBe(404);
    expect(await (await open(answer.body.captions[0].url)).text()).toContain("Second line");
    const [{ n }] = await course.app.sql<any>("select count(*)::int as n from stored_objects where bucket = 'lesson-captions'");
    expect(n).toBe(2);
    const entries = await course.app.sql<any>(
      "select details from audit_log where subject_id = $1 and action = 'video.captions.save' order by id desc limit 2",
      [lesson.id],
    );
    const [replaced, added] = entries.map(({ details }) => details);
    expect(added).toEqual({ title: lesson.title, after: expect.objectContaining({ language: "th", label: "ไทย" }) });
    expect(replaced.before).toMatchObject({ language: "en-US", label: "English" });
    expect(replaced.after).toMatchObject({ language: "en-US", label: "American" });
    expect(replaced.after.object_id).not.toBe(replaced.before.object_id);
  });

  it("removes captions, once", async () => {
    const remove = (): Promise<Answer> => course.operator.call("DELETE", `/api/videos/${lesson.id}/captions/TH`);
    const { url } = (await lessonOf(course.operator)).captions.at(-1);
    expect((await remove()).body.captions).toHaveLength(1);
    expect((await open(url)).status).toBe(404);
    expect(outcome(await remove())).toEqual([404, "captions_not_found"]);
  });

  it("converts captions from a SubRip file", async () => {
    const srt =
      "1\r\n00:00:01,000 --> 00:00:02,500\r\n<font color=red>Hello</font>\r\n\r\n2\r\n0:00:03,000 --> 0:00:04,000\r\nBye\r\n";
    const { body } = await save(captionsForm(srt, "de", "Deutsch"));
    const { url } = body.captions.find(({ language }: any) => language === "de");
    expect(await (await open(url)).text()).toBe(
      "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello\n\n00:00:03.000 --> 00:00:04.000\nBye\n",
    );
  });

  it.each([
    ["without a signature", "00:01.000 --> 00:02.000\nHi\n", 400, "captions_line_signature"],
    ["with a cue of no time", "WEBVTT\n\n00:01 --> 00:02\nHi\n", 400, "captions_line_time"],
    ["with a cue that ends at its start", "WEBVTT\n\n00:01.000 --> 00:01.000\nHi\n", 400, "captions_line_end"],
    ["without a cue", "WEBVTT\n\nNOTE nothing\n", 400, "captions_empty"],
    ["in another encoding", new Uint8Array([...Buffer.from(webVtt), 0xa1, 0xe9]), 400, "captions_encoding"],
    ["with NUL", `${webVtt}\0`, 400, "captions_encoding"],
    ["of nothing", "", 400, "captions_line_signature"],
    ["of 1 MB", `${webVtt}\nNOTE ${"x".repeat(1024 ** 2)}\n`, 413, "captions_too_large"],
    ["of 2 MB", "x".repeat(2 * 1024 ** 2), 413, "body_too_large"],
  ] as const)("refuses captions %s, and changes nothing", async (_what, file, status, code) => {
    const before = await lessonOf(course.operator);
    expect(outcome(await save(captionsForm(file, "fr", "Français")))).toEqual([status, code]);
    expect(await lessonOf(course.operator)).toEqual(before);
  });

  it("names the line when it refuses captions", async () => {
    const answer = await save(captionsForm("WEBVTT\n\n00:05.000 --> 00:06.000\nHi\n\n00:04.000 --> 00:06.000\nHo\n", "fr"));
    expect(answer.body).toEqual({
      code: "captions_line_order",
      error: "Line 6: a cue must not start before the one above it.",
    });
  });

  it("refuses captions without a file, a language or a name", async () => {
    const without = (name: string): FormData => {
      const form = captionsForm(webVtt);
      form.delete(name);
      return form;
    };
    expect(outcome(await save(without("file")))).toEqual([400, "captions_file_missing"]);
    expect(outcome(await save(without("language")))).toEqual([400, "invalid_input"]);
    expect(outcome(await save(without("label")))).toEqual([400, "invalid_input"]);
    for (const language of ["", "e", "english language", "../en", "en\u0000"])
      expect((await save(captionsForm(webVtt, language))).status).toBe(400);
    expect((await save(captionsForm(webVtt, "no!"))).body.error).toBe("Please enter a language tag such as en, th or pt-BR.");
    expect((await save({ file: webVtt, language: "en", label: "English" })).status).toBe(400);
  });

  it("refuses captions for an unknown lesson, and leaves no file behind", async () => {
    expect(outcome(await save(captionsForm(webVtt), course.operator, randomUUID()))).toEqual([404, "video_not_found"]);
    const files = await course.app.deps.objects.ids()[Symbol.asyncIterator]().next();
    const rows = await course.app.sql("select id from stored_objects");
    expect((files.value ?? []).length).toBe(rows.length);
  });

  it("refuses captions of a student before it reads the form", async () => {
    expect(outcome(await save("x".repeat(5 * 1024 ** 2), course.advanced))).toEqual([403, "not_allowed"]);
  });

  it("changes nothing when no process can check the captions", async () => {
    const captions = openCaptionReader("/nowhere/caption-worker.js");
    const beside = await startApp({ beside: course.app, parts: { captions } });
    try {
      const before = await lessonOf(course.operator);
      const answer = await save(captionsForm(webVtt, "de", "Changed"), await admin(beside));
      expect([outcome(answer), answer.headers.get("retry-after")]).toEqual([[503, "unavailable"], "10"]);
      expect(await lessonOf(course.operator)).toEqual(before);
    } finally {
      await beside.close();
    }
  });

  it("limits captions to twenty languages, also when many are added at once", async () => {
    const { id } = await course.add();
    const tags = Array.from({ length: maxCaptionLanguages + 4 }, (_, index) => `en-x-${index}`);
    const answers = await Promise.all(tags.map((tag) => save(captionsForm(webVtt, tag), course.operator, id)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(outcome)).toEqual(Array.from({ length: 4 }, () => [409, "captions_full"]));
    const kept = tags[answers.findIndex(({ status }) => status === 201)]!;
    expect((await save(captionsForm(webVtt, kept, "Replaced"), course.operator, id)).status).toBe(201);
  });

  // FILE-7
  it("sweeps captions that no lesson has had for a day, and no others", async () => {
    const { db, clock, objects } = course.app.deps;
    const locks = { ifFree: async (_id: string, action: () => Promise<void>) => action() };
    const { id } = await course.add();
    for (const language of ["en", "th"]) await save(captionsForm(webVtt, language), course.operator, id);
    const captions = await course.app.sql<any>("select object_id from video_captions where video_id = $1 order by language", [
      id,
    ]);
    const [unused, used] = captions.map(({ object_id }) => object_id);
    await course.app.sql("delete from video_captions where object_id = $1", [unused]);
    course.app.clock.advance(25 * 3600);
    await sweep({ db, clock, objects, buckets: [captionBucket], locks });
    expect(await course.app.sql("select id from stored_objects where id = any($1)", [[unused, used]])).toEqual([{ id: used }]);
    expect([await objects.size(unused), await objects.size(used)]).toEqual([undefined, expect.any(Number)]);
  });
});
