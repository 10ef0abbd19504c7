import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { admin, student, visitor, type Answer, type Person } from "../../../../tests/support/people.ts";
import { mp4Of, uploader } from "../../../../tests/support/uploads.ts";

let app: TestApp;
let operator: Person;
let unpaid: Person;
let starter: Person;
let advanced: Person;

beforeAll(async () => {
  app = await startApp();
  operator = await admin(app);
  [unpaid, starter, advanced] = await Promise.all([student(app), student(app, "starter"), student(app, "advanced")]);
});
beforeEach(() => app.sql("delete from videos"));
afterAll(() => app?.close());

const lesson = {
  title: "Candles",
  description: "How to read them.",
  module: "Forex Basics",
  order_index: 1,
  package_type: "both",
};
const film = "https://films.example/watch?v=1";

async function add(fields: Record<string, unknown> = {}): Promise<any> {
  const source = "upload_id" in fields ? {} : { video_url: film };
  const answer = await operator.call("POST", "/api/videos", { ...lesson, ...source, ...fields });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const change = (id: string, fields: Record<string, unknown>): Promise<Answer> =>
  operator.call("PATCH", `/api/videos/${id}`, fields);
const play = (who: Person, id: string): Promise<Answer> => who.call("POST", `/api/videos/${id}/play`);
const uploadFilm = (size = 5000): Promise<string> => uploader(app, operator).upload("course-videos", mp4Of(size), "lesson.mp4");
const outcome = ({ status, body }: Answer): [number, string] => [status, body.code];

describe("playing a video", () => {
  it("gives an outside address to whoever may play it, with the moment it should be asked for again", async () => {
    const { id } = await add({ package_type: "starter" });
    const answer = await play(starter, id);
    expect([answer.status, answer.body.url]).toEqual([200, film]);
    expect(Date.parse(answer.body.expires_at)).toBeGreaterThan(Date.now());
    expect(outcome(await play(unpaid, id))).toEqual([403, "video_locked"]);
    expect(outcome(await play(visitor(app), id))).toEqual([401, "not_signed_in"]);
    expect(outcome(await play(starter, randomUUID()))).toEqual([404, "video_not_found"]);
  });

  it("gives an uploaded film by a link of 4 hours that streams it in parts", async () => {
    const { id } = await add({ upload_id: await uploadFilm(9000), package_type: "advanced" });
    const { body } = await play(advanced, id);
    expect(body.url.startsWith(`${app.url}/storage/v1/object/sign/course-videos/`)).toBe(true);
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(4 * 3600_000 - 10_000);
    const reply = await fetch(body.url, { headers: { range: "bytes=100-199" } });
    expect(reply.status).toBe(206);
    expect(Buffer.from(await reply.arrayBuffer()).equals(mp4Of(9000).subarray(100, 200))).toBe(true);
    expect(outcome(await play(starter, id))).toEqual([403, "video_locked"]);
    expect((await play(operator, id)).status).toBe(200);
  });

  it("checks the tier at the moment of the click and at the moment of the opening", async () => {
    const climber = await student(app);
    const { id } = await add({ upload_id: await uploadFilm(), package_type: "starter" });
    expect((await play(climber, id)).status).toBe(403);
    await app.sql("update profiles set subscription_status = 'starter' where id = $1", [climber.id]);
    const { url } = (await play(climber, id)).body;
    expect((await fetch(url)).status).toBe(200);
    await app.sql("update profiles set subscription_status = 'unpaid' where id = $1", [climber.id]);
    expect((await fetch(url)).status).toBe(403);
    await change(id, { package_type: "both" });
    expect((await fetch(url)).status).toBe(200);
    await operator.call("DELETE", `/api/videos/${id}`);
    expect((await fetch(url)).status).toBe(404);
  });

  it("uses the address that visitors know the site by", async () => {
    const second = await startApp({ beside: app, environment: { PUBLIC_URL: "https://course.example" } });
    const { id } = await add({ upload_id: await uploadFilm() });
    const answer = await fetch(`${second.url}/api/videos/${id}/play`, {
      method: "POST",
      headers: { authorization: `Bearer ${operator.accessToken}` },
    });
    expect(((await answer.json()) as { url: string }).url).toMatch(/^https:\/\/course\.example\/storage\/v1\/object\/sign\//);
    await second.close();
  });
});
