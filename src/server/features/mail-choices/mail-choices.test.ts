import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { mailServer, type Mailserver } from "../../../../tests/support/mails/mail-server.ts";
import { mailRows, siteWith } from "../../../../tests/support/mails/outbox.ts";
import { admin, student, visitor, type Person } from "../../../../tests/support/people.ts";
import { soon } from "../../../../tests/support/soon.ts";
import { composeMail } from "../../platform/mail/layout.ts";
import { choiceLinks } from "./links.ts";

const origin = "https://course.example";
let app: TestApp;
let server: Mailserver;
beforeAll(async () => {
  server = await mailServer();
  app = await startApp({ environment: { SMTP_URL: server.url } });
});
afterAll(async () => {
  await app?.close();
  await server?.stop();
});

const choicesOf = async (someone: Person) => (await someone.call("GET", "/api/mail-choices")).body;
const choose = (someone: Person, choices: object) => someone.call("PUT", "/api/mail-choices", choices);
const linkFor = ({ id }: Pick<Person, "id">, kind: "news" | "live_session_reminder" = "news"): string =>
  choiceLinks(app.deps.secrets, origin, id, kind).unsubscribeUrl.slice(origin.length);
const oneClick = (link: string) =>
  fetch(app.url + link, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });

// MAIL-8
describe("a student's mail choices", () => {
  it.each([
    ["unpaid", false],
    ["starter", true],
    ["advanced", true],
  ] as const)("turns reminders on by default, and news by tier: %s, %s", async (tier, news) => {
    expect(await choicesOf(await student(app, tier))).toEqual({ news, live_session_reminder: true });
  });

  it("changes one kind of mail and keeps the other", async () => {
    const someone = await student(app, "starter");
    expect((await choose(someone, { news: false })).body).toEqual({ news: false, live_session_reminder: true });
    expect((await choose(someone, { live_session_reminder: false })).body).toEqual({
      news: false,
      live_session_reminder: false,
    });
    expect(await choicesOf(someone)).toEqual({ news: false, live_session_reminder: false });
  });

  it("keeps mail choices when the tier changes", async () => {
    const someone = await student(app);
    await choose(someone, { news: true });
    await app.sql("update profiles set subscription_status = 'starter' where id = $1", [someone.id]);
    await choose(someone, { news: false });
    await app.sql("update profiles set subscription_status = 'advanced' where id = $1", [someone.id]);
    expect((await choicesOf(someone)).news).toBe(false);
  });

  it("stores a mail choice once when two tabs choose at the same time", async () => {
    const someone = await student(app, "starter");
    const answers = await Promise.all(
      [true, false, true, false].map((news) => choose(someone, { news, live_session_reminder: !news })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { news, live_session_reminder } = await choicesOf(someone);
    expect(live_session_reminder).toBe(!news);
  });

  // ACCOUNT-8, NEWS-4
  it("drops what waits when a kind is turned off, and deletes it with the account", async () => {
    const site = await siteWith("smtp://127.0.0.1:9");
    const [chooser, clicker, deleted, other] = await Promise.all([1, 2, 3, 4].map(() => student(site, "starter")));
    await site.sql("delete from mail_outbox");
    const content = { site: { name: "Pipwright" }, subject: "Hello", heading: "Hello", paragraphs: [] };
    for (const { id, email } of [chooser!, clicker!, deleted!, other!]) {
      for (const kind of ["news", "live_session_reminder"] as const) {
        const choices = choiceLinks(site.deps.secrets, origin, id, kind);
        await site.mailer.enqueue(site.deps.db, composeMail({ ...content, to: email, choices }));
      }
    }
    await choose(chooser!, { news: false });
    const link = choiceLinks(site.deps.secrets, site.url, clicker!.id, "news").unsubscribeUrl;
    expect((await fetch(link, { method: "POST" })).status).toBe(200);
    await (await admin(site)).call("DELETE", `/functions/v1/admin-users?userId=${deleted!.id}`);
    const waiting = async ({ email }: Person) => (await mailRows(site, email)).map((row) => row.next_attempt_at !== null);
    expect(await Promise.all([chooser!, clicker!, deleted!, other!].map(waiting))).toEqual([
      [false, true],
      [false, true],
      [],
      [true, true],
    ]);
    expect((await mailRows(site, chooser!.email))[0]).toMatchObject({ sealed_body: null, failed_at: null });
  });

  it("deletes mail choices with the account", async () => {
    const someone = await student(app, "starter");
    await choose(someone, { news: false });
    await (await admin(app)).call("DELETE", `/functions/v1/admin-users?userId=${someone.id}`);
    expect(await app.sql("select 1 from mail_choices where account_id = $1", [someone.id])).toEqual([]);
    expect((await oneClick(linkFor(someone))).status).toBe(200);
    expect(await app.sql("select 1 from mail_choices where account_id = $1", [someone.id])).toEqual([]);
  });

  it("refuses malformed mail choices and changes nothing", async () => {
    const someone = await student(app, "starter");
    for (const choices of [{ news: "no" }, { news: null }, [false]]) expect((await choose(someone, choices)).status).toBe(400);
    expect(await choicesOf(someone)).toEqual({ news: true, live_session_reminder: true });
  });
});

// MAIL-9
describe("the link that unsubscribes", () => {
  it("unsubscribes by one click of a mail program, also repeatedly", async () => {
    const someone = await student(app, "advanced");
    for (let time = 0; time < 2; time++) {
      const reply = await oneClick(linkFor(someone));
      expect([reply.status, await reply.json()]).toEqual([200, { unsubscribed: true }]);
    }
    expect(await choicesOf(someone)).toEqual({ news: false, live_session_reminder: true });
  });

  it("accepts the one click as a multipart form and without a body", async () => {
    const [first, second] = [await student(app, "advanced"), await student(app, "advanced")];
    const form = new FormData();
    form.set("List-Unsubscribe", "One-Click");
    expect((await fetch(app.url + linkFor(first), { method: "POST", body: form })).status).toBe(200);
    expect((await fetch(app.url + linkFor(second), { method: "POST" })).status).toBe(200);
    for (const someone of [first, second]) expect((await choicesOf(someone)).news).toBe(false);
  });

  it("changes nothing when the unsubscribe link is only opened", async () => {
    const someone = await student(app, "advanced");
    for (const method of ["GET", "HEAD"]) await fetch(app.url + linkFor(someone), { method });
    expect((await choicesOf(someone)).news).toBe(true);
  });

  it("refuses an unsubscribe link that is forged, truncated or altered", async () => {
    const [someone, other] = [await student(app, "advanced"), await student(app, "advanced")];
    const link = linkFor(someone);
    const forged = [
      "/unsubscribe",
      "/unsubscribe?token=",
      "/unsubscribe?token=news",
      link.slice(0, -1),
      `${link}A`,
      `${link}.more`,
      link.replace(someone.id, other.id),
      link.replace("news.", "live_session_reminder."),
      link.replace("news.", "code."),
      link.replace(/[^.]+$/, ""),
    ];
    for (const attempt of forged) {
      const reply = await oneClick(attempt);
      expect([reply.status, (await reply.json()).code], attempt).toEqual([400, "unsubscribe_link_invalid"]);
    }
    for (const person of [someone, other]) {
      expect(await choicesOf(person)).toEqual({ news: true, live_session_reminder: true });
    }
  });

  it("reveals no address by an unsubscribe link, and refuses a large body", async () => {
    const someone = await student(app, "advanced");
    const link = linkFor(someone);
    expect(Buffer.from(link).toString()).not.toContain(someone.email.split("@")[0]);
    const token = new URLSearchParams(link.split("?")[1]).get("token")!;
    expect((await visitor(app).call("GET", "/api/me", undefined, { authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await fetch(app.url + link, { method: "POST", body: "x".repeat(2000) })).status).toBe(413);
    expect((await choicesOf(someone)).news).toBe(true);
  });

  it("writes the unsubscribe link in optional mails only, in headers and text", async () => {
    const content = { site: { name: "Pipwright" }, subject: "Hello", heading: "Hello", paragraphs: [] };
    const someone = await student(app, "advanced");
    const choices = choiceLinks(app.deps.secrets, origin, someone.id, "news");
    await app.deps.outbox.enqueue(app.deps.db, composeMail({ ...content, to: "optional@example.com", choices }));
    await app.deps.outbox.enqueue(app.deps.db, composeMail({ ...content, to: "necessary@example.com" }));
    const messageTo = (to: string) =>
      soon(() => {
        const found = server.taken.find((mail) => mail.to[0] === to);
        expect(found).toBeDefined();
        return found!.message.replace(/\r\n[ \t]+/g, " ").replace(/=\r\n/g, "");
      });
    const optional = await messageTo("optional@example.com");
    expect(/^List-Unsubscribe: <(.*)>\r$/m.exec(optional)?.[1]).toBe(choices.unsubscribeUrl);
    expect(optional).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(await messageTo("necessary@example.com")).not.toContain("nsubscribe");
  });
});
