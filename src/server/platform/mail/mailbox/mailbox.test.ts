import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { visitor } from "../../../../../tests/support/people.ts";
import { composeMail } from "../layout.ts";
import { transaction } from "#server/platform/db/transaction";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const paths = ["/mailbox", "/mailbox.css", "/mailbox.json"];
const mail = (to: string, subject: string, rest: { code?: string; button?: { label: string; url: string } } = {}) =>
  composeMail({ site: { name: "Pipwright" }, to, subject, heading: subject, paragraphs: ["Hello <b>Ann</b> & co,"], ...rest });
const send = (one: ReturnType<typeof mail>, on = app) => on.deps.outbox.enqueue(on.deps.db, one);

/** With any Host header, which fetch does not allow. */
function statusWith(headers: Record<string, string>, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${app.url}${path}`, { headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

describe("the mailbox of a site without SMTP", () => {
  it("lists every mail as JSON as soon as it is written, newest first, by recipient", async () => {
    await send(mail("ann@example.com", "First"));
    await send(mail("bob@example.com", "Other"));
    await send(mail("ann@example.com", "Second", { code: "123456" }));
    const answer = await visitor(app).call("GET", "/mailbox.json?to=ANN@example.com");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toEqual([
      { to: "ann@example.com", subject: "Second", text: expect.stringMatching(/^123456$/m), sent_at: expect.any(String) },
      {
        to: "ann@example.com",
        subject: "First",
        text: expect.stringContaining("Hello <b>Ann</b> & co,"),
        sent_at: expect.any(String),
      },
    ]);
    expect((await visitor(app).call("GET", "/mailbox.json")).body).toHaveLength(3);
    for (const to of ["nobody@example.com", "'"]) {
      expect((await visitor(app).call("GET", `/mailbox.json?to=${to}`)).body).toEqual([]);
    }
    expect((await visitor(app).call("GET", "/mailbox.json?to=%00")).status).toBe(400);
  });

  it("shows nothing of a mail whose transaction was taken back", async () => {
    const undone = transaction(app.deps.db, async (tx) => {
      await app.deps.outbox.enqueue(tx, mail("undone@example.com", "Never"));
      throw new Error("taken back");
    });
    await expect(undone).rejects.toThrow("taken back");
    expect((await visitor(app).call("GET", "/mailbox.json?to=undone@example.com")).body).toEqual([]);
  });

  it("renders a static page that escapes mails, enlarges codes and links addresses", async () => {
    const url = "https://course.example.com/auth?recovery=abc&x=1";
    await send(mail("page@example.com", "<script>alert(1)</script>", { button: { label: "Choose", url } }));
    await send(mail("page@example.com", "A code", { code: "654321" }));
    const { headers, body } = await visitor(app).call("GET", "/mailbox");
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toContain("style-src 'self'");
    expect(body).not.toContain("http-equiv");
    expect(body).toContain('<a href="/mailbox">Look again</a>');
    expect(body).toContain('<p class="code">654321</p>');
    expect(body).toContain('href="https://course.example.com/auth?recovery=abc&#38;x=1"');
    expect(body).not.toMatch(/<script(?! src="\/theme\.js"><)|<style|style="|<b>Ann/);
    expect(body.indexOf("A code")).toBeLessThan(body.indexOf("alert(1)"));
    expect((await visitor(app).call("GET", "/mailbox.css")).headers.get("content-type")).toBe("text/css; charset=utf-8");
  });

  it("passes over mails that another data folder's key sealed", async () => {
    await app.sql(
      "insert into mail_outbox (recipient, subject, sealed_body, created_at, sent_at) values ('old@example.com', 'Old', 'noise noise noise noise noise', now(), now())",
    );
    expect((await visitor(app).call("GET", "/mailbox.json?to=old@example.com")).body).toEqual([]);
    expect((await visitor(app).call("GET", "/mailbox")).status).toBe(200);
  });
});

describe("the mailbox is refused to everyone else", () => {
  it.each([
    ["a name of the outside world", { host: "course.example.com" }],
    ["a name that only begins like this machine", { host: "localhost.example.com" }],
    ["a proxy in front", { "x-forwarded-for": "203.0.113.7" }],
    ["a proxy that says so the new way", { forwarded: "for=203.0.113.7" }],
  ])("by way of %s", async (_what, headers) => {
    for (const path of paths) expect(await statusWith(headers, path)).toBe(404);
  });

  it.each([
    ["once SMTP is set", { SMTP_URL: "smtp://127.0.0.1:9" }],
    ["in production", { NODE_ENV: "production", ADMIN_EMAIL: "admin@example.com", RATE_LIMITS: "on" }],
  ])("%s", async (_when, environment) => {
    const site = await startApp({ beside: app, environment });
    try {
      for (const path of paths) expect((await visitor(site).call("GET", path)).status).toBe(404);
    } finally {
      await site.close();
    }
  });
});
