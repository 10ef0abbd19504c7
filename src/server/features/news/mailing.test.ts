import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { mailServer, type Mailserver } from "../../../../tests/support/mails/mail-server.ts";
import { mailsTo } from "../../../../tests/support/mails/received.ts";
import { admin, unverifiedStudent, student, type Person } from "../../../../tests/support/people.ts";
import { soon } from "../../../../tests/support/soon.ts";
import type { BackgroundJob } from "../../platform/background-job.ts";
import type { Outbox } from "../../platform/mail/outbox.ts";
import { newsMailingJob, type NewsMailingParts } from "./mailing.ts";

let app: TestApp;
let boss: Person;
beforeAll(async () => {
  app = await startApp();
  boss = await admin(app);
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.sql("delete from news");
  await app.sql("delete from accounts where role = 'student'");
  await app.sql("delete from mail_outbox");
});

const errors: string[] = [];

/** The mailing of one process; it writes when it is run. */
function mailingOf(site: TestApp, parts: Partial<NewsMailingParts> = {}): BackgroundJob {
  const onError = (what: string, error: unknown): void => void errors.push(`${what}: ${String(error)}`);
  return newsMailingJob({ ...site.deps, onError, batchSize: 2, ...parts });
}

async function runOnce(parts: Partial<NewsMailingParts> = {}): Promise<void> {
  const mailing = mailingOf(app, parts);
  await mailing.run();
  await mailing.stop();
}

const publish = (given: object = {}, key: string = randomUUID()) =>
  boss.call(
    "POST",
    "/api/news",
    { title: "New lessons", text: "A text.", audience: "starter", mail: true, ...given },
    { "idempotency-key": key },
  );

/** A student who was verified before what is published next, on the clock that stands still. */
async function reader(tier?: "starter", site = app): Promise<Person> {
  const someone = await student(site, tier);
  await site.sql("update accounts set email_verified_at = $2 where id = $1", [someone.id, site.clock.now()]);
  return someone;
}

/** Students by insert, since sign-ups are slow. */
async function students(count: number, tier = "starter"): Promise<string[]> {
  const rows = await app.sql<{ email: string }>(
    `with made as (
      insert into accounts (email, password_hash, email_verified_at, created_at)
      select 's' || gen_random_uuid() || '@example.com', '-', $2::timestamptz, $2 from generate_series(1, $1) returning id, email
    ) insert into profiles (id, email, full_name, subscription_status) select id, email, 'S', $3 from made returning email`,
    [count, app.clock.now(), tier],
  );
  return rows.map(({ email }) => email).toSorted();
}

const mailed = async (): Promise<string[]> =>
  (await app.sql<{ recipient: string }>("select recipient from mail_outbox")).map(({ recipient }) => recipient).toSorted();

// NEWS-4
describe("news by mail", () => {
  it("mails news once to each verified student of the audience who wants it", async () => {
    const wanting = [...(await students(3)), ...(await students(2, "advanced"))].toSorted();
    await students(2, "unpaid");
    const off = await reader("starter");
    await off.call("PUT", "/api/mail-choices", { news: false });
    await unverifiedStudent(app);
    await app.sql("delete from mail_outbox");
    await publish();
    await runOnce();
    await runOnce();
    expect(await mailed()).toEqual(wanting);
    const [item] = (await boss.call("GET", "/api/news")).body.items;
    expect(item.mailing).toEqual({ mails: 5, finished_at: app.clock.now().toISOString() });
  });

  it("mails news for everyone to unpaid students who turned it on", async () => {
    const someone = await reader();
    await someone.call("PUT", "/api/mail-choices", { news: true });
    await app.sql("delete from mail_outbox");
    await publish({ audience: "everyone" });
    await runOnce();
    expect(await mailed()).toEqual([someone.email]);
  });

  it("mails news with paragraphs, links and the way to unsubscribe", async () => {
    const someone = await reader("starter");
    await publish({ text: "One <b>\nline & https://a.example/x.\n\nTwo" });
    await runOnce();
    const [mail] = await mailsTo(app, someone.email);
    expect(mail).toMatchObject({ subject: "New lessons" });
    expect(mail!.text).toContain(
      `New lessons\n\nOne <b>\nline & https://a.example/x.\n\nTwo\n\nOpen your course:\n${app.url}/student\n`,
    );
    expect(mail!.text).toContain(`Unsubscribe: ${app.url}/unsubscribe?token=news.`);
    expect(mail!.html).toContain('One &#60;b&#62;<br>line &#38; <a href="https://a.example/x" style=');
    expect((await someone.call("GET", "/api/news")).body.items[0].mailing).toBeNull();
  });

  it("mails news once for one key, and only where mail was wanted", async () => {
    const [someone] = await students(1);
    const key = randomUUID();
    await Promise.all([publish({}, key), publish({}, key)]);
    await publish({ mail: false });
    await runOnce();
    expect(await mailed()).toEqual([someone]);
    expect((await publish({ mail: false }, key)).body.code).toBe("idempotency_key_reused");
  });

  it("continues a mailing that was cut off, without a second mail to anybody", async () => {
    const all = await students(7);
    await publish();
    let writes = 0;
    const dying: Outbox = {
      ...app.deps.outbox,
      async enqueueAll(connection, mails) {
        await app.deps.outbox.enqueueAll(connection, mails);
        writes += 1;
        // As when the process is killed after the mails were written, before the transaction ends.
        if (writes === 3) await connection.execute("select pg_terminate_backend(pg_backend_pid())");
      },
    };
    await runOnce({ outbox: dying });
    expect(errors.splice(0)).toEqual([expect.stringContaining("News by mail waits")]);
    expect(await mailed()).toHaveLength(4);
    // The backend that was ended may keep its lock for a moment.
    await expect.poll(() => runOnce().then(mailed)).toEqual(all);
  });

  it("writes each mail once when two processes mail at once", async () => {
    const beside = await startApp({ beside: app });
    const all = await students(25);
    await publish();
    const mailings = [mailingOf(app), mailingOf(beside)];
    await Promise.all(mailings.map((mailing) => mailing.run()));
    await Promise.all(mailings.map((mailing) => mailing.run()));
    for (const mailing of mailings) await mailing.stop();
    await beside.close();
    expect(await mailed()).toEqual(all);
    expect(errors).toEqual([]);
  });

  it("starts a mailing when news is published", async () => {
    const all = await students(3);
    const mailing = mailingOf(app).start();
    await publish();
    await soon(async () => expect(await mailed()).toEqual(all));
    await mailing.stop();
  });

  it("mails no news to students who are verified later", async () => {
    await publish();
    app.clock.advance(1);
    await students(2);
    await runOnce();
    expect(await mailed()).toEqual([]);
  });

  it("ends the mailing of deleted news", async () => {
    await students(3);
    const { id } = (await publish()).body;
    await boss.call("DELETE", `/api/news/${id}`);
    await runOnce();
    expect(await mailed()).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("mails news only from a session proven in the last ten minutes", async () => {
    await app.sql("update sessions set proven_at = proven_at - interval '11 minutes'");
    expect((await publish()).body.code).toBe("step_up_needed");
    expect((await publish({ mail: false })).status).toBe(201);
    boss = await admin(app);
  });

  // STEPUP-2.
  it("changes news in a session that is not proven only once their mails are written", async () => {
    await students(1);
    const { id } = (await publish()).body;
    await app.sql("update sessions set proven_at = proven_at - interval '11 minutes'");
    const edit = () => boss.call("PATCH", `/api/news/${id}`, { text: "Pay here." });
    expect((await edit()).body.code).toBe("step_up_needed");
    await runOnce();
    expect((await edit()).status).toBe(200);
    boss = await admin(app);
    const again = (await publish()).body;
    expect((await boss.call("PATCH", `/api/news/${again.id}`, { text: "A proven text." })).status).toBe(200);
  });
});

describe("news by mail at a site whose address is not known", () => {
  it("publishes nothing by mail where the site's address is not known", async () => {
    const refused = await app.server.inject({
      method: "POST",
      url: "/api/news",
      headers: { host: "course.example", authorization: `Bearer ${boss.accessToken}`, "idempotency-key": randomUUID() },
      payload: { title: "T", text: "T", audience: "everyone", mail: true },
    });
    expect([refused.statusCode, refused.json().code]).toEqual([409, "mail_origin_unknown"]);
    expect((await boss.call("GET", "/api/news")).body.items).toEqual([]);
  });
});

describe("the mails of a deleted announcement", () => {
  let server: Mailserver;
  let site: TestApp;
  beforeAll(async () => {
    server = await mailServer({ refuse: () => "Later" });
    site = await startApp({ environment: { SMTP_URL: server.url } });
  });
  afterAll(async () => {
    await site?.close();
    await server?.stop();
  });

  it("drops unsent mails of deleted news", async () => {
    const someone = await reader("starter", site);
    const operator = await admin(site);
    const content = { title: "T", text: "T", audience: "starter", mail: true };
    const { id } = (await operator.call("POST", "/api/news", content, { "idempotency-key": randomUUID() })).body;
    const mailing = mailingOf(site);
    await mailing.run();
    await mailing.stop();
    await operator.call("DELETE", `/api/news/${id}`);
    const rows = await site.sql(
      "select sealed_body, next_attempt_at, last_error from mail_outbox where recipient = $1 and is_optional",
      [someone.email],
    );
    expect(rows).toEqual([
      { sealed_body: null, next_attempt_at: null, last_error: "Not sent, because the announcement was deleted." },
    ]);
  });
});
