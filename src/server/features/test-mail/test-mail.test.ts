import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminEmail, startApp, type TestApp } from "../../../../tests/support/app.ts";
import { mailServer, type Mailserver } from "../../../../tests/support/mails/mail-server.ts";
import { failedTimes, note, siteWith, started } from "../../../../tests/support/mails/outbox.ts";
import { fixedPort } from "../../../../tests/support/network/fixed-port.ts";
import { setUpWallets } from "../../../../tests/support/payments.ts";
import { admin, type Person } from "../../../../tests/support/people.ts";
import { soon } from "../../../../tests/support/soon.ts";

// MAIL-11
describe("a test mail", () => {
  let app: TestApp;
  let server: Mailserver;
  let operator: Person;
  let refusal: { code: number; text: string } | undefined;
  beforeAll(async () => {
    server = await mailServer({ refuseAt: { recipient: () => refusal } });
    app = await startApp({ environment: { SMTP_URL: server.url } });
    operator = await admin(app);
  });
  afterAll(async () => {
    await app?.close();
    await server?.stop();
  });

  const send = (to = "admin") => operator.call("POST", "/api/test-mail", { to });
  const read = async (id: number) => (await operator.call("GET", `/api/test-mail/${id}`)).body;

  it("goes through the outbox to the admin's address and is reported as sent", async () => {
    const sent = await send();
    expect(sent).toMatchObject({ status: 201, body: { recipient: adminEmail, goes_to: "smtp", reason: null } });
    await soon(async () => expect(await read(sent.body.id)).toMatchObject({ state: "sent" }));
    expect(server.taken.at(-1)!.to).toEqual([adminEmail]);
    const entries = await app.sql("select action, details from audit_log where subject_id = $1", [String(sent.body.id)]);
    expect(entries).toEqual([{ action: "mail.test", details: { recipient: adminEmail } }]);
  });

  it("goes to the alert email, and is refused where there is none", async () => {
    expect(await send("alert")).toMatchObject({ status: 409, body: { code: "alert_email_missing" } });
    await setUpWallets(operator, { alert_email: "owner@example.com" });
    const sent = await send("alert");
    expect(sent.body.recipient).toBe("owner@example.com");
    await soon(async () => expect((await read(sent.body.id)).state).toBe("sent"));
  });

  it("reports what the mail server said, at once for good and while it is tried again", async () => {
    refusal = { code: 450, text: "Come back later" };
    const { id } = (await send()).body;
    const retrying = { state: "retrying", reason: expect.stringContaining("450 Come back later") };
    await soon(async () => expect(await read(id)).toMatchObject(retrying));
    refusal = { code: 550, text: "No such mailbox" };
    const second = (await send()).body;
    const failed = { state: "failed", reason: expect.stringContaining("550 No such mailbox") };
    await soon(async () => expect(await read(second.id)).toMatchObject(failed));
    expect(await read(id)).toMatchObject({ state: "failed", reason: "Not sent, because a newer mail replaced it." });
  });

  it("reveals nothing of other mails", async () => {
    await app.sql(
      "insert into mail_outbox (recipient, subject, sealed_body, created_at) values ('x@example.com', 'Other', 'x', now())",
    );
    const [{ id }] = (await app.sql<{ id: string }>("select id from mail_outbox where subject = 'Other'")) as [{ id: string }];
    expect((await operator.call("GET", `/api/test-mail/${id}`)).status).toBe(404);
  });
});

// MAIL-11
it("reports why a test mail waits behind another, then that it expired", async () => {
  const port = await fixedPort();
  const site = await siteWith(`smtp://127.0.0.1:${port}`);
  let operator = await admin(site);
  const read = async (id: number) => (await operator.call("GET", `/api/test-mail/${id}`)).body;
  await site.mailer.enqueue(site.deps.db, note("waits@example.com"));
  await failedTimes(site, "waits@example.com", 1);
  const { id } = (await operator.call("POST", "/api/test-mail", { to: "admin" })).body;
  expect(await read(id)).toMatchObject({ state: "retrying", reason: expect.stringContaining("ECONNREFUSED") });
  await started({ port });
  site.clock.advance(601);
  operator = await admin(site);
  site.mailer.worker.wake();
  const failed = { state: "failed", reason: "Not sent, because it had expired." };
  await soon(async () => expect(await read(id)).toMatchObject(failed));
});

it("says that a test mail went to the mailbox where there is no mail server", async () => {
  const app = await startApp({ parts: { mailboxToken: "token" } });
  try {
    const sent = await (await admin(app)).call("POST", "/api/test-mail", { to: "admin" });
    expect(sent.body).toMatchObject({ state: "sent", goes_to: "mailbox" });
  } finally {
    await app.close();
  }
});
