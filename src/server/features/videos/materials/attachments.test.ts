// Over 250 lines: who gets attachments, what is one, and how often, how many and how long they are kept.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sweep } from "#server/platform/storage/sweep";
import { maxAttachmentBytes, maxAttachments } from "#domain/materials/attachment";
import { startApp } from "../../../../../tests/support/app.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { attach, captionsForm, csv, posterForm, webVtt } from "../../../../../tests/support/course/materials.ts";
import { tinyPng } from "../../../../../tests/support/payments.ts";
import { outcome, visitor, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { metadata, uploader } from "../../../../../tests/support/uploads.ts";
import { attachmentBucket } from "./buckets.ts";

let course: Course;
let lesson: any;
beforeAll(async () => (course = await startCourse()));
beforeEach(async () => (lesson = await course.add({ package_type: "starter" })));
afterAll(() => course?.app.close());

const lessonOf = async (who: Person): Promise<any> =>
  (await who.call("GET", "/api/videos")).body.items.find(({ id }: any) => id === lesson.id);
const open = (id: string, who: Person = course.starter, videoId = lesson.id): Promise<Answer> =>
  who.call("POST", `/api/videos/${videoId}/attachments/${id}/open`);
const upload = (bytes: Buffer, filename: string, who = course.operator): Promise<string> =>
  uploader(course.app, who).upload("lesson-attachments", bytes, filename);
const setTier = (newRole: string): Promise<Answer> =>
  course.operator.call("PUT", "/functions/v1/admin-users", { userId: course.starter.id, newRole });

// FILE-14
describe("attachments of a lesson", () => {
  it("lists attachments for those who may play the lesson, always as downloads", async () => {
    const image = await attach(course.app, course.operator, lesson.id, Buffer.from(tinyPng), "Setup ภาพ.png");
    await attach(course.app, course.operator, lesson.id, csv, "../../sizes.csv");
    expect((await lessonOf(course.starter)).attachments).toEqual([
      { id: image.id, filename: "Setup ภาพ.png", size_bytes: tinyPng.length, content_type: "image/png" },
      { id: expect.any(String), filename: "sizes.csv", size_bytes: csv.length, content_type: "text/csv" },
    ]);
    expect((await lessonOf(course.unpaid)).attachments).toEqual([]);
    const link = await open(image.id);
    expect(link.body).toEqual({ url: expect.stringContaining(course.app.url), expires_at: expect.any(String) });
    const reply = await fetch(link.body.url);
    expect(Buffer.from(await reply.arrayBuffer()).equals(Buffer.from(tinyPng))).toBe(true);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": expect.stringMatching(/^attachment; filename="Setup ___\.png"/),
      "x-content-type-options": "nosniff",
    });
  });

  it("stops a download of an attachment with the tier, at the next range", async () => {
    const { id } = await attach(course.app, course.operator, lesson.id);
    expect(outcome(await open(id, course.unpaid))).toEqual([403, "video_locked"]);
    const { url } = (await open(id)).body;
    const range = (): Promise<Response> => fetch(url, { headers: { range: "bytes=0-3" } });
    expect(await (await range()).text()).toBe("pair");
    await setTier("unpaid");
    expect([(await range()).status, outcome(await open(id))]).toEqual([403, [403, "video_locked"]]);
    await setTier("starter");
    expect((await range()).status).toBe(206);
  });

  it("opens a linked attachment by the package of its own lesson", async () => {
    const advanced = await course.add({ package_type: "advanced" });
    const [own, other] = [
      await attach(course.app, course.operator, lesson.id),
      await attach(course.app, course.operator, advanced.id),
    ];
    await setTier("advanced");
    const links = [await open(own.id), await open(other.id, course.starter, advanced.id)];
    await setTier("starter");
    expect(await Promise.all(links.map(async ({ body }) => (await fetch(body.url)).status))).toEqual([200, 403]);
  });

  it("opens attachments to no visitor and through no other lesson or bucket", async () => {
    const { id } = await attach(course.app, course.operator, lesson.id);
    expect((await open(id, visitor(course.app))).status).toBe(401);
    const other = await course.add();
    expect(outcome(await open(id, course.starter, other.id))).toEqual([404, "attachment_not_found"]);
    const { url } = (await open(id)).body;
    for (const bucket of ["course-videos", "payment-screenshots", "lesson-captions"])
      expect((await fetch(url.replace("lesson-attachments", bucket))).status).toBe(403);
  });

  // RUN-8
  it("opens an attachment to no unverified account, and logs whose link was refused", async () => {
    const { id } = await attach(course.app, course.operator, lesson.id);
    const { url } = (await open(id)).body;
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    const logged = await startApp({ beside: course.app, environment: { LOG_LEVEL: "warn" }, parts: { logStream } });
    const { id: account } = course.starter;
    await course.app.sql("update accounts set email_verified_at = null where id = $1", [account]);
    try {
      expect((await fetch(url.replace(course.app.url, logged.url))).status).toBe(403);
    } finally {
      await course.app.sql("update accounts set email_verified_at = now() where id = $1", [account]);
      await logged.close();
    }
    const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event !== undefined);
    expect(events).toEqual([expect.objectContaining({ event: "access_refused", account })]);
  });

  it("opens and removes the attachment that is named, of several", async () => {
    const files = [csv, Buffer.from("pair,lots\n")];
    const ids: string[] = [];
    for (const bytes of files) ids.push((await attach(course.app, course.operator, lesson.id, bytes)).id);
    for (const [index, id] of ids.entries())
      expect(await (await fetch((await open(id)).body.url)).text()).toBe(files[index]!.toString());
    const removed = await course.operator.call("DELETE", `/api/videos/${lesson.id}/attachments/${ids[1]}`);
    expect(removed.body.attachments.map(({ id }: any) => id)).toEqual([ids[0]]);
    expect((await fetch((await open(ids[0]!)).body.url)).status).toBe(200);
  });

  it("removes an attachment with its file, once", async () => {
    const { id, uploadId } = await attach(course.app, course.operator, lesson.id);
    const { url } = (await open(id)).body;
    const remove = (): Promise<Answer> => course.operator.call("DELETE", `/api/videos/${lesson.id}/attachments/${id}`);
    expect((await remove()).body.attachments).toEqual([]);
    expect((await fetch(url)).status).toBe(404);
    expect(await course.app.deps.objects.size(uploadId)).toBeUndefined();
    expect(outcome(await remove())).toEqual([404, "attachment_not_found"]);
  });

  it.each([
    ["a program with another name", Buffer.from("MZ\x90\0program"), "notes.txt"],
    ["a program of MetaTrader that is one of Windows", Buffer.from("MZ\x90\0program"), "trend.ex5"],
    ["an unlisted extension", Buffer.from("MZ\x90\0program"), "setup.exe"],
    ["a page", Buffer.from("<script>alert(1)</script>"), "page.html"],
    ["a PDF by name alone", Buffer.from("<script>alert(1)</script>"), "book.pdf"],
    ["a text without an extension", csv, "sizes"],
    ["a picture by name alone", csv, "chart.png"],
    ["an SVG", Buffer.from("<svg/>"), "chart.svg"],
  ])("refuses as an attachment %s", async (_what, bytes, filename) => {
    const started = await uploader(course.app, course.operator).start("lesson-attachments", bytes.length, {
      "upload-metadata": metadata({ bucketName: "lesson-attachments", filename, filetype: "text/plain" }),
    });
    const sent = await uploader(course.app, course.operator).patch(started.headers.get("location") ?? "", 0, bytes);
    expect(outcome(sent)).toEqual([415, "attachment_type_invalid"]);
  });

  it("refuses an attachment of 100 MB before its first byte", async () => {
    const started = await uploader(course.app, course.operator).start("lesson-attachments", maxAttachmentBytes);
    expect([outcome(started), started.body.error]).toEqual([
      [413, "attachment_too_large"],
      "An attachment must be smaller than 100MB",
    ]);
  });

  it("refuses to attach an upload that is unknown, of another bucket or in use", async () => {
    const add = (upload_id: string): Promise<Answer> =>
      course.operator.call("POST", `/api/videos/${lesson.id}/attachments`, { upload_id });
    expect(outcome(await add(randomUUID()))).toEqual([404, "upload_not_found"]);
    expect(outcome(await add(await course.uploadFilm()))).toEqual([404, "upload_not_found"]);
    const { uploadId } = await attach(course.app, course.operator, (await course.add()).id);
    expect(outcome(await add(uploadId))).toEqual([409, "upload_used"]);
    const asFilm = await course.operator.call("PATCH", `/api/videos/${lesson.id}`, { upload_id: await upload(csv, "a.csv") });
    expect(outcome(asFilm)).toEqual([404, "upload_not_found"]);
    expect((await lessonOf(course.operator)).attachments).toEqual([]);
  });

  it("attaches an upload once when its call is repeated, also in a full lesson", async () => {
    for (let index = 1; index < maxAttachments; index++) await attach(course.app, course.operator, lesson.id);
    const { id, uploadId } = await attach(course.app, course.operator, lesson.id);
    const again = await course.operator.call("POST", `/api/videos/${lesson.id}/attachments`, { upload_id: uploadId });
    expect([again.status, again.body.attachments.length, again.body.attachments.at(-1).id]).toEqual([201, maxAttachments, id]);
    const added = "select from audit_log where subject_id = $1 and action = 'video.attachment.add'";
    expect(await course.app.sql(added, [lesson.id])).toHaveLength(maxAttachments);
  });

  it("takes no other failure of the database for an upload in use", async () => {
    const upload_id = await upload(csv, "a.csv");
    const add = (): Promise<Answer> => course.operator.call("POST", `/api/videos/${lesson.id}/attachments`, { upload_id });
    await course.app.sql("create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$");
    await course.app.sql("create trigger refuse before insert on video_attachments for each row execute function refuse()");
    try {
      expect(outcome(await add())).toEqual([500, "unexpected"]);
    } finally {
      await course.app.sql("drop function refuse cascade");
    }
    expect((await add()).status).toBe(201);
  });

  it("attaches an upload once when calls for six lessons come at once", async () => {
    const upload_id = await upload(csv, "a.csv");
    const ids = [lesson.id, ...(await Promise.all([1, 2, 3, 4, 5].map(() => course.add()))).map(({ id }) => id)];
    const answers = await Promise.all(
      ids.map((id) => course.operator.call("POST", `/api/videos/${id}/attachments`, { upload_id })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 201) expect(outcome(answer)).toEqual([409, "upload_used"]);
  });

  it("limits attachments to twenty, also when many are added at once", async () => {
    const ids = await Promise.all(Array.from({ length: maxAttachments + 3 }, (_, index) => upload(csv, `${index}.csv`)));
    const answers = await Promise.all(
      ids.map((upload_id) => course.operator.call("POST", `/api/videos/${lesson.id}/attachments`, { upload_id })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(outcome)).toEqual(Array.from({ length: 3 }, () => [409, "attachments_full"]));
  });

  it("deletes attachments, captions, poster and links with the lesson, and no others", async () => {
    const other = await course.add();
    const kept = await attach(course.app, course.operator, other.id);
    await course.operator.call("POST", `/api/videos/${other.id}/captions`, captionsForm(webVtt));
    await course.operator.call("PUT", `/api/videos/${other.id}/poster`, posterForm());
    const { id, uploadId } = await attach(course.app, course.operator, lesson.id);
    await course.operator.call("POST", `/api/videos/${lesson.id}/captions`, captionsForm(webVtt));
    await course.operator.call("PUT", `/api/videos/${lesson.id}/poster`, posterForm());
    const { captions, poster_url } = await lessonOf(course.starter);
    const { url } = (await open(id)).body;
    expect((await course.operator.call("DELETE", `/api/videos/${lesson.id}`)).status).toBe(200);
    for (const link of [url, course.app.url + captions[0].url, course.app.url + poster_url])
      expect((await fetch(link)).status).toBe(404);
    expect(await course.app.deps.objects.size(uploadId)).toBeUndefined();
    const rows = await course.app.sql(
      "select bucket from stored_objects where bucket in ('lesson-captions', 'lesson-posters') order by bucket",
    );
    expect(rows).toEqual([{ bucket: "lesson-captions" }, { bucket: "lesson-posters" }]);
    expect(await course.app.deps.objects.size(kept.uploadId)).toBe(csv.length);
  });

  it("writes added and removed attachments to the audit log", async () => {
    const { id } = await attach(course.app, course.operator, lesson.id);
    await course.operator.call("DELETE", `/api/videos/${lesson.id}/attachments/${id}`);
    const entries = await course.app.sql<any>(
      "select action, details from audit_log where subject_id = $1 and action <> 'video.create' order by id",
      [lesson.id],
    );
    const attachment = { attachment_id: id, filename: "sizes.csv" };
    expect(entries).toEqual([
      { action: "video.attachment.add", details: { title: lesson.title, after: attachment } },
      { action: "video.attachment.remove", details: { title: lesson.title, before: attachment } },
    ]);
  });

  // FILE-7
  it("sweeps an attachment that no lesson has had for a day, and no others", async () => {
    const { app, operator, add } = await startCourse();
    const used = await attach(app, operator, (await add()).id);
    const unused = await uploader(app, operator).upload("lesson-attachments", csv, "unused.csv");
    app.clock.advance(25 * 3600);
    const { db, clock, objects } = app.deps;
    const locks = { ifFree: async (_id: string, action: () => Promise<void>) => action() };
    await sweep({ db, clock, objects, buckets: [attachmentBucket], locks });
    expect([await objects.size(unused), await objects.size(used.uploadId)]).toEqual([undefined, csv.length]);
    await app.close();
  });

  it("opens an attachment by a link for an hour", async () => {
    const { id } = await attach(course.app, course.operator, lesson.id);
    const { url } = (await open(id)).body;
    course.app.clock.advance(3599);
    expect((await fetch(url)).status).toBe(200);
    course.app.clock.advance(1);
    expect((await fetch(url)).status).toBe(403);
  });
});
