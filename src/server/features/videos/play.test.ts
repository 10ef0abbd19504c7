import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { film, startCourse, type Course } from "../../../../tests/support/course/start-course.ts";
import { outcome, student, visitor, type Answer, type Person } from "../../../../tests/support/people.ts";
import { mp4Of } from "../../../../tests/support/uploads.ts";

let course: Course;
beforeAll(async () => (course = await startCourse()));
beforeEach(() => course.app.sql("delete from videos"));
afterAll(() => course?.app.close());

const secondsUntil = (time: string): number => (Date.parse(time) - course.app.clock.now().getTime()) / 1000;
const play = (who: Person, id: string): Promise<Answer> => who.call("POST", `/api/videos/${id}/play`);

describe("playing a video", () => {
  it("returns the outside address and its expiry only to those who may play the video", async () => {
    const { id } = await course.add({ package_type: "starter" });
    const answer = await play(course.starter, id);
    expect([answer.status, answer.body.url]).toEqual([200, film]);
    expect(secondsUntil(answer.body.expires_at)).toBe(4 * 3600);
    expect(outcome(await play(course.unpaid, id))).toEqual([403, "video_locked"]);
    expect(outcome(await play(visitor(course.app), id))).toEqual([401, "not_signed_in"]);
    expect(outcome(await play(course.starter, randomUUID()))).toEqual([404, "video_not_found"]);
  });

  it("returns a link of 4 hours to an uploaded film, which serves byte ranges", async () => {
    const { id } = await course.add({ upload_id: await course.uploadFilm(9000), package_type: "advanced" });
    const { body } = await play(course.advanced, id);
    expect(body.url.startsWith(`${course.app.url}/storage/v1/object/sign/course-videos/`)).toBe(true);
    expect(secondsUntil(body.expires_at)).toBe(4 * 3600);
    const reply = await fetch(body.url, { headers: { range: "bytes=100-199" } });
    expect(reply.status).toBe(206);
    expect(Buffer.from(await reply.arrayBuffer()).equals(mp4Of(9000).subarray(100, 200))).toBe(true);
    expect(outcome(await play(course.starter, id))).toEqual([403, "video_locked"]);
    expect((await play(course.operator, id)).status).toBe(200);
  });

  it("checks the tier when a video is played and at every request for its film", async () => {
    const climber = await student(course.app);
    const { id } = await course.add({ upload_id: await course.uploadFilm(), package_type: "starter" });
    expect((await play(climber, id)).status).toBe(403);
    await course.app.sql("update profiles set subscription_status = 'starter' where id = $1", [climber.id]);
    const { url } = (await play(climber, id)).body;
    expect((await fetch(url)).status).toBe(200);
    await course.app.sql("update profiles set subscription_status = 'unpaid' where id = $1", [climber.id]);
    expect((await fetch(url)).status).toBe(403);
    await course.change(id, { package_type: "both" });
    expect((await fetch(url)).status).toBe(200);
    await course.operator.call("DELETE", `/api/videos/${id}`);
    expect((await fetch(url)).status).toBe(404);
  });

  // FILE-16
  it("links Chromium alone to fragments, and only of a film that has them", async () => {
    const [plainUpload, fragmentedUpload] = [await course.uploadFilm(), await course.uploadFilm()];
    const plain = await course.add({ upload_id: plainUpload });
    const fragmented = await course.add({ upload_id: fragmentedUpload });
    await course.app.sql("insert into films (object_id, playability, fragments_at) values ($1, 'plays', 4000)", [
      fragmentedUpload,
    ]);
    const urlFor = async ({ id }: { id: string }, headers = {}): Promise<string> =>
      (await course.starter.call("POST", `/api/videos/${id}/play`, undefined, headers)).body.url;
    const chromium = { "sec-ch-ua": '"Chromium";v="156", "Not A(Brand";v="24"' };
    expect(await urlFor(fragmented, chromium)).toMatch(/&layout=fragments$/);
    expect(await urlFor(fragmented)).not.toContain("layout");
    const url = await urlFor(plain, chromium);
    expect(url).not.toContain("layout");
    const bytes = await (await fetch(`${url}&layout=fragments`)).arrayBuffer();
    expect(Buffer.from(bytes).equals(mp4Of(5000))).toBe(true);
  });

  // RUN-8
  it("logs whose link to a film without a video was refused", async () => {
    const upload_id = await course.uploadFilm();
    const { id } = await course.add({ upload_id });
    const { url } = (await play(course.starter, id)).body;
    await course.app.sql("delete from videos where id = $1", [id]);
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    const logged = await startApp({ beside: course.app, environment: { LOG_LEVEL: "warn" }, parts: { logStream } });
    try {
      expect((await fetch(url.replace(course.app.url, logged.url))).status).toBe(403);
    } finally {
      await logged.close();
    }
    const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event !== undefined);
    expect(events).toEqual([expect.objectContaining({ event: "access_refused", account: course.starter.id })]);
  });

  // DEVICE-4.
  it("returns a watermark to students with WATERMARK=on, and never to the admin", async () => {
    const marked = await startApp({ beside: course.app, environment: { WATERMARK: "on" } });
    const { id } = await course.add();
    const watermarkFor = async (who: Person, site: TestApp): Promise<unknown> => {
      const headers = { authorization: `Bearer ${who.accessToken}` };
      const reply = await fetch(`${site.url}/api/videos/${id}/play`, { method: "POST", headers });
      return ((await reply.json()) as { watermark: unknown }).watermark;
    };
    expect(await watermarkFor(course.starter, marked)).toBe(course.starter.email);
    expect(await watermarkFor(course.operator, marked)).toBeNull();
    expect(await watermarkFor(course.starter, course.app)).toBeNull();
    await marked.close();
  });

  it("links a film at PUBLIC_URL", async () => {
    const second = await startApp({ beside: course.app, environment: { PUBLIC_URL: "https://course.example" } });
    const { id } = await course.add({ upload_id: await course.uploadFilm() });
    const answer = await fetch(`${second.url}/api/videos/${id}/play`, {
      method: "POST",
      headers: { authorization: `Bearer ${course.operator.accessToken}` },
    });
    expect(((await answer.json()) as { url: string }).url).toMatch(/^https:\/\/course\.example\/storage\/v1\/object\/sign\//);
    await second.close();
  });
});
