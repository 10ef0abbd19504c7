import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { mailServer, type Mailserver } from "../../../../tests/support/mails/mail-server.ts";
import { admin, type Person } from "../../../../tests/support/people.ts";
import { soon } from "../../../../tests/support/soon.ts";
import { composeMail } from "../../platform/mail/layout.ts";

let app: TestApp;
let server: Mailserver;
let boss: Person;
let isRefusing = true;
beforeAll(async () => {
  server = await mailServer({
    refuseAt: {
      recipient: (to) => {
        if (to.startsWith("later")) return { code: 450, text: "Later" };
        return isRefusing ? { code: 550, text: "No such mailbox" } : undefined;
      },
    },
  });
  app = await startApp({ environment: { SMTP_URL: server.url } });
  boss = await admin(app);
});
afterAll(async () => {
  await app?.close();
  await server?.stop();
});

const list = async (query = "") => (await boss.call("GET", `/api/mail-failures${query}`)).body;
const sendAgain = (id: number) => boss.call("POST", `/api/mail-failures/${id}/send-again`);
const dismiss = (id: number) => boss.call("DELETE", `/api/mail-failures/${id}`);

async function failed(to: string, expiresAt?: Date): Promise<any> {
  isRefusing = true;
  const mail = composeMail({
    site: { name: "Pipwright" },
    to,
    subject: "Hello",
    heading: "Hello",
    paragraphs: ["Secret text"],
  });
  await app.deps.outbox.enqueue(app.deps.db, { ...mail, ...(expiresAt && { expiresAt }) });
  return soon(async () => {
    const found = (await list()).items.find(({ recipient }: any) => recipient === to);
    expect(found).toBeDefined();
    return found;
  });
}

describe("mails that were given up", () => {
  it("lists given-up mails for the admin with the reason, without their text", async () => {
    const failure = await failed("gone@example.com");
    expect(failure).toEqual({
      id: expect.any(Number),
      recipient: "gone@example.com",
      subject: "Hello",
      reason: expect.stringContaining("550 No such mailbox"),
      created_at: expect.any(String),
      failed_at: expect.any(String),
      can_send_again: true,
    });
    expect(JSON.stringify(await list())).not.toContain("Secret text");
  });

  it("sends a given-up mail again, once", async () => {
    const { id } = await failed("fixed@example.com");
    isRefusing = false;
    expect(await sendAgain(id)).toMatchObject({ status: 200, body: { queued: true } });
    expect(await sendAgain(id)).toMatchObject({ status: 404, body: { code: "mail_failure_not_found" } });
    await soon(async () => expect(server.taken.map(({ to }) => to[0])).toEqual(["fixed@example.com"]));
    const actions = await app.sql("select action from audit_log where subject_type = 'mail' and subject_id = $1", [String(id)]);
    expect(actions).toEqual([{ action: "mail.send_again" }]);
  });

  it("refuses to send a mail again whose code or link has expired", async () => {
    const { id } = await failed("late@example.com", new Date(app.clock.now().getTime() + 60_000));
    app.clock.advance(61);
    const failure = (await list()).items.find((item: any) => item.id === id);
    expect(failure.can_send_again).toBe(false);
    expect(await sendAgain(id)).toMatchObject({ status: 409, body: { code: "mail_expired" } });
  });

  it("deletes a given-up mail when the admin dismisses it", async () => {
    const other = await failed("kept@example.com");
    const { id } = await failed("dismissed@example.com");
    expect(await dismiss(id)).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await app.sql("select 1 from mail_outbox where id = $1", [id])).toEqual([]);
    expect((await dismiss(id)).status).toBe(404);
    expect(await app.sql("select 1 from mail_outbox where id = $1", [other.id])).toHaveLength(1);
  });

  it("pages through given-up mails and refuses malformed cursors and ids", async () => {
    for (let index = 0; index < 3; index++) await failed(`page${index}@example.com`);
    const first = await list("?limit=2");
    expect(first.items.map(({ recipient }: any) => recipient)).toEqual(["page2@example.com", "page1@example.com"]);
    const second = await list(`?limit=1&cursor=${first.next_cursor}`);
    expect(second.items.map(({ recipient }: any) => recipient)).toEqual(["page0@example.com"]);
    expect((await boss.call("GET", "/api/mail-failures?cursor=x")).status).toBe(400);
    for (const id of ["0", "x", "1.5", "99999999999999999999"]) {
      expect((await boss.call("DELETE", `/api/mail-failures/${id}`)).status).toBe(400);
    }
  });

  it("counts given-up and waiting mails in the metrics", async () => {
    const mail = composeMail({
      site: { name: "Pipwright" },
      to: "later@example.com",
      subject: "Hi",
      heading: "Hi",
      paragraphs: [],
    });
    await app.deps.outbox.enqueue(app.deps.db, mail);
    await soon(async () => {
      expect((await list()).waiting).toEqual({
        count: 1,
        oldest_at: expect.any(String),
        reason: expect.stringContaining("450 Later"),
      });
    });
    const { length } = (await list("?limit=100")).items;
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain(`mail_failures{state="given_up"} ${length}\n`);
    expect(metrics).toContain(`mail_failures{state="waiting"} 1\n`);
  });
});
