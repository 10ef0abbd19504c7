import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fieldTexts } from "#domain/errors/field-texts";
import { errors } from "#domain/errors/messages";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { deletedAfterInsert } from "../../../../tests/support/database/deleted-after-insert.ts";
import { admin, outcome, student, type Person } from "../../../../tests/support/people.ts";

let app: TestApp;
let boss: Person;
let readers: Record<"unpaid" | "starter" | "advanced", Person>;
beforeAll(async () => {
  app = await startApp();
  boss = await admin(app);
  readers = { unpaid: await student(app), starter: await student(app, "starter"), advanced: await student(app, "advanced") };
  // What counts as new was published after the sign-up.
  app.clock.advance(60);
});
afterAll(() => app?.close());
beforeEach(() => app.sql("delete from news"));

const publish = (given: object = {}, key: string = randomUUID()) =>
  boss.call(
    "POST",
    "/api/news",
    { title: "Hello", text: "A text.", audience: "everyone", ...given },
    { "idempotency-key": key },
  );
const listOf = async (someone: Person, query = "") => (await someone.call("GET", `/api/news${query}`)).body;
const titlesOf = async (someone: Person) => (await listOf(someone)).items.map(({ title }: { title: string }) => title);

// NEWS-2
describe("an announcement", () => {
  it("lists news for its audience and the admin, newest first", async () => {
    for (const audience of ["everyone", "starter", "advanced"]) {
      await publish({ title: audience, audience });
      app.clock.advance(1);
    }
    expect(await titlesOf(readers.unpaid)).toEqual(["everyone"]);
    expect(await titlesOf(readers.starter)).toEqual(["starter", "everyone"]);
    expect(await titlesOf(readers.advanced)).toEqual(["advanced", "starter", "everyone"]);
    expect(await titlesOf(boss)).toEqual(["advanced", "starter", "everyone"]);
  });

  it("lists news by the tier that the student has now", async () => {
    const someone = await student(app);
    await publish({ audience: "starter" });
    expect(await titlesOf(someone)).toEqual([]);
    await app.sql("update profiles set subscription_status = 'starter' where id = $1", [someone.id]);
    expect(await titlesOf(someone)).toEqual(["Hello"]);
    await app.sql("update profiles set subscription_status = 'unpaid' where id = $1", [someone.id]);
    expect(await titlesOf(someone)).toEqual([]);
  });

  it("pages through news of one microsecond without repeating or skipping any", async () => {
    for (let index = 0; index < 5; index++) await publish({ title: `News ${index}` });
    await app.sql("update news set published_at = published_at + interval '456 microseconds'");
    const first = await listOf(readers.unpaid, "?limit=2");
    const second = await listOf(readers.unpaid, `?limit=3&cursor=${first.next_cursor}`);
    const titles = [...first.items, ...second.items].map(({ title }: { title: string }) => title);
    expect(titles.toSorted()).toEqual(["News 0", "News 1", "News 2", "News 3", "News 4"]);
    expect(second.next_cursor).toBeNull();
    expect((await readers.unpaid.call("GET", "/api/news?cursor=x")).status).toBe(400);
  });
});

// NEWS-1
describe("publishing", () => {
  it("publishes news and returns it as it is stored", async () => {
    const { status, body } = await publish({ title: "  Hello ", text: "One\n\nTwo\n", audience: "starter" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      title: "Hello",
      text: "One\n\nTwo",
      audience: "starter",
      published_at: app.clock.now().toISOString(),
      edited_at: null,
      unread: false,
      older_unread: false,
      mailing: null,
    });
  });

  it("publishes once for one key, also when requests come at once", async () => {
    const key = randomUUID();
    const answers = await Promise.all([publish({}, key), publish({}, key), publish({}, key)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await titlesOf(boss)).toEqual(["Hello"]);
    expect((await publish({ title: "Another" }, key)).body.code).toBe("idempotency_key_reused");
    expect(await titlesOf(boss)).toEqual(["Hello"]);
  });

  // NEWS-1
  it("returns an announcement to a retry also once it was changed", async () => {
    const key = randomUUID();
    const { id } = (await publish({}, key)).body;
    await boss.call("PATCH", `/api/news/${id}`, { title: "Changed" });
    const retry = await publish({}, key);
    expect([retry.status, retry.body]).toEqual([201, expect.objectContaining({ id, title: "Changed" })]);
    expect((await publish({ title: "Changed" }, key)).body.code).toBe("idempotency_key_reused");
    expect(await titlesOf(boss)).toEqual(["Changed"]);
  });

  it("says that an announcement is gone to a retry while it is deleted", async () => {
    const key = randomUUID();
    await publish({}, key);
    const retry = await deletedAfterInsert(app, "news", () => publish({}, key));
    expect(outcome(retry)).toEqual([404, "news_not_found"]);
  });

  const tooLong = (maximum: string): string => fieldTexts.text_too_long.replace("{maximum}", maximum);
  it.each([
    ["no title", { title: " " }, fieldTexts.title_missing],
    ["no text", { text: "\n" }, fieldTexts.text_missing],
    ["a title of 121 letters", { title: "t".repeat(121) }, tooLong("120")],
    ["a text of 5,001 letters", { text: "t".repeat(5001) }, tooLong("5000")],
    ["a title of two lines", { title: "One\nTwo" }, fieldTexts.text_invisible],
    ["an unknown audience", { audience: "gold" }, errors.invalid_input.text],
    ["mail that is no choice", { mail: "yes" }, errors.invalid_input.text],
  ])("refuses news with %s and stores nothing", async (_what, given, error) => {
    expect(await publish(given)).toMatchObject({ status: 400, body: { code: "invalid_input", error } });
    expect(await titlesOf(boss)).toEqual([]);
  });

  it("refuses news without an Idempotency-Key", async () => {
    const { body } = await boss.call("POST", "/api/news", { title: "T", text: "T", audience: "everyone" });
    expect(body.code).toBe("idempotency_key_missing");
  });

  it("writes publishing, changing and deleting news to the audit log", async () => {
    const { id } = (await publish()).body;
    await boss.call("PATCH", `/api/news/${id}`, { title: "Changed" });
    await boss.call("DELETE", `/api/news/${id}`);
    const entries = await app.sql("select action from audit_log where subject_type = 'news' and subject_id = $1 order by id", [
      id,
    ]);
    expect(entries.map(({ action }) => action)).toEqual(["news.publish", "news.update", "news.delete"]);
  });
});

describe("a change of an announcement", () => {
  it("changes the given parts of an announcement and keeps the rest", async () => {
    const { id, published_at } = (await publish()).body;
    app.clock.advance(60);
    const { body } = await boss.call("PATCH", `/api/news/${id}`, { text: "Better.", audience: "advanced" });
    expect(body).toMatchObject({ title: "Hello", text: "Better.", audience: "advanced", published_at });
    expect(body.edited_at).toBe(app.clock.now().toISOString());
    expect(await titlesOf(readers.unpaid)).toEqual([]);
  });

  it("refuses an empty change of news, and one of deleted news", async () => {
    const { id } = (await publish()).body;
    expect((await boss.call("PATCH", `/api/news/${id}`, {})).body.code).toBe("invalid_input");
    expect((await boss.call("PATCH", `/api/news/${id}`, { title: "" })).status).toBe(400);
    await boss.call("DELETE", `/api/news/${id}`);
    for (const method of ["PATCH", "DELETE"]) {
      expect((await boss.call(method, `/api/news/${id}`, { title: "T" })).body.code).toBe("news_not_found");
    }
  });
});

// NEWS-3
describe("what is new", () => {
  const unreadOf = async (someone: Person): Promise<boolean[]> =>
    (await listOf(someone)).items.map(({ unread }: { unread: boolean }) => unread);

  it("keeps news unread until the student marks it, for that student alone", async () => {
    const { id } = (await publish()).body;
    expect(await unreadOf(readers.starter)).toEqual([true]);
    for (let time = 0; time < 2; time++) {
      expect((await readers.starter.call("POST", `/api/news/${id}/seen`)).body).toEqual({ seen: true });
    }
    expect(await unreadOf(readers.starter)).toEqual([false]);
    expect(await unreadOf(readers.advanced)).toEqual([true]);
    expect(await unreadOf(boss)).toEqual([false]);
  });

  it("says with each announcement whether an older one is unread, on any page", async () => {
    const ids: string[] = [];
    for (let number = 0; number < 3; number++) {
      ids.push((await publish()).body.id);
      app.clock.advance(1);
    }
    const olderOf = async (someone: Person, query = ""): Promise<boolean[]> =>
      (await listOf(someone, query)).items.map(({ older_unread }: { older_unread: boolean }) => older_unread);
    expect(await olderOf(readers.starter)).toEqual([true, true, false]);
    await readers.starter.call("POST", `/api/news/${ids[2]}/seen`);
    await readers.starter.call("POST", `/api/news/${ids[1]}/seen`);
    expect(await olderOf(readers.starter, "?limit=1")).toEqual([true]);
    await readers.starter.call("POST", `/api/news/${ids[0]}/seen`);
    expect(await olderOf(readers.starter, "?limit=1")).toEqual([false]);
    expect(await olderOf(boss)).toEqual([false, false, false]);
  });

  it("counts news from before the sign-up as read", async () => {
    await publish();
    app.clock.advance(60);
    expect(await unreadOf(await student(app))).toEqual([false]);
  });

  it("refuses a read mark outside the audience and of deleted news", async () => {
    const { id } = (await publish({ audience: "advanced" })).body;
    expect((await readers.starter.call("POST", `/api/news/${id}/seen`)).body.code).toBe("news_not_found");
    await boss.call("DELETE", `/api/news/${id}`);
    expect((await readers.advanced.call("POST", `/api/news/${id}/seen`)).status).toBe(404);
    expect(await app.sql("select 1 from news_reads")).toEqual([]);
  });

  it("refuses a read mark while the news is being deleted", async () => {
    const { id } = (await publish()).body;
    const deleting = { text: "delete from news where id = $1", values: [id] };
    const answer = await behindTransaction(app, deleting, () => readers.starter.call("POST", `/api/news/${id}/seen`));
    expect([answer.status, answer.body.code]).toEqual([404, "news_not_found"]);
  });
});

describe("the reach of an audience", () => {
  it("counts the verified students of an audience, and who wants news by mail", async () => {
    const before = (await boss.call("GET", "/api/news/reach")).body;
    const [off, on] = [await student(app, "advanced"), await student(app)];
    await off.call("PUT", "/api/mail-choices", { news: false });
    await on.call("PUT", "/api/mail-choices", { news: true });
    const { everyone, starter, advanced } = (await boss.call("GET", "/api/news/reach")).body;
    expect(everyone).toEqual({ students: before.everyone.students + 2, mails: before.everyone.mails + 1 });
    expect(starter).toEqual({ students: before.starter.students + 1, mails: before.starter.mails });
    expect(advanced).toEqual({ students: before.advanced.students + 1, mails: before.advanced.mails });
  });
});
