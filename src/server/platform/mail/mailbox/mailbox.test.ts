import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { outcome, visitor } from "../../../../../tests/support/people.ts";
import { composeMail } from "../layout.ts";
import { transaction } from "#server/platform/db/transaction";

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ environment: { MAILBOX_TOKEN: "a-token-of-the-tests" } });
});
afterAll(() => app.close());

const paths = ["/mailbox", "/mailbox.css", "/mailbox.json", "/mailbox/mails/1"];
const mail = (to: string, subject: string, rest: { code?: string; button?: { label: string; url: string } } = {}) =>
  composeMail({ site: { name: "Pipwright" }, to, subject, heading: subject, paragraphs: ["Hello <b>Ann</b> & co,"], ...rest });
const send = (one: ReturnType<typeof mail>, on = app) => on.deps.outbox.enqueue(on.deps.db, one);

/** What a browser or a program that has the token sends. */
const opened = { authorization: "Bearer a-token-of-the-tests" };
const read = (path: string, headers: Record<string, string> = opened) => visitor(app).call("GET", path, undefined, headers);

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
    const answer = await read("/mailbox.json?to=ANN@example.com");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toEqual([
      {
        to: "ann@example.com",
        subject: "Second",
        text: expect.stringMatching(/^123456$/m),
        html: expect.stringMatching(/>123456</),
        sent_at: expect.any(String),
      },
      {
        to: "ann@example.com",
        subject: "First",
        text: expect.stringContaining("Hello <b>Ann</b> & co,"),
        html: expect.stringContaining("Hello &#60;b&#62;Ann"),
        sent_at: expect.any(String),
      },
    ]);
    expect((await read("/mailbox.json")).body).toHaveLength(3);
    for (const to of ["nobody@example.com", "'"]) {
      expect((await read(`/mailbox.json?to=${to}`)).body).toEqual([]);
    }
    expect((await read("/mailbox.json?to=%00")).status).toBe(400);
  });

  it("shows nothing of a mail whose transaction was taken back", async () => {
    const undone = transaction(app.deps.db, async (tx) => {
      await app.deps.outbox.enqueue(tx, mail("undone@example.com", "Never"));
      throw new Error("taken back");
    });
    await expect(undone).rejects.toThrow("taken back");
    expect((await read("/mailbox.json?to=undone@example.com")).body).toEqual([]);
  });

  it("renders a static page that escapes mails, enlarges codes and links addresses", async () => {
    const url = "https://course.example.com/auth?redirect=abc&x=1";
    await send(mail("page@example.com", "<script>alert(1)</script>", { button: { label: "Choose", url } }));
    await send(mail("page@example.com", "A code", { code: "654321" }));
    const { headers, body } = await read("/mailbox");
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toContain("style-src 'self'");
    expect(body).not.toContain("http-equiv");
    expect(body).toContain('<a href="/mailbox">Look again</a>');
    expect(body).toContain('<p class="code">654321</p>');
    expect(body).toContain('href="https://course.example.com/auth?redirect=abc&#38;x=1"');
    expect(body).not.toMatch(/<script(?! src="\/theme\.js"><)|<style|style="|<b>Ann/);
    expect(body.indexOf("A code")).toBeLessThan(body.indexOf("alert(1)"));
    expect((await read("/mailbox.css")).headers.get("content-type")).toBe("text/css; charset=utf-8");
  });

  it("passes over mails that another data folder's key sealed", async () => {
    await app.sql(
      "insert into mail_outbox (recipient, subject, sealed_body, created_at, sent_at) values ('old@example.com', 'Old', 'noise noise noise noise noise', now(), now())",
    );
    expect((await read("/mailbox.json?to=old@example.com")).body).toEqual([]);
    expect((await read("/mailbox")).status).toBe(200);
  });
});

// MAIL-6.
describe("the token of the mailbox", () => {
  const closed = ["/mailbox", "/mailbox.json", "/mailbox/mails/1"];

  it.each([
    ["no token", "", {}],
    ["a wrong token", "?token=a-token-of-the-testS", {}],
    ["the beginning of the token", "?token=a-token", {}],
    ["two tokens", "?token=a-token-of-the-tests&token=x", {}],
    ["a wrong bearer", "", { authorization: "Bearer x" }],
    ["a wrong cookie", "", { cookie: "mailbox=x; other=a-token-of-the-tests" }],
  ])("refuses the mailbox, given %s", async (_what, query, headers) => {
    for (const path of closed) {
      expect(outcome(await read(path + query, headers))).toEqual([401, "mailbox_token_needed"]);
    }
  });

  it("opens the mailbox's JSON with the token in the query or as a bearer", async () => {
    expect((await read("/mailbox.json?token=a-token-of-the-tests", {})).status).toBe(200);
    expect((await read("/mailbox.json")).status).toBe(200);
  });

  it("moves the mailbox token from the printed link into a cookie", async () => {
    const answer = await read("/mailbox?token=a-token-of-the-tests", {});
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/mailbox"]);
    const cookie = answer.headers.get("set-cookie")!;
    expect(cookie).toBe("mailbox=a-token-of-the-tests; Path=/mailbox; HttpOnly; SameSite=Strict");
    expect((await read("/mailbox", { cookie: `theme=dark; ${cookie.split(";")[0]}` })).status).toBe(200);
  });

  it("draws a random mailbox token at each start without MAILBOX_TOKEN", async () => {
    const sites = [
      await startApp({ beside: app }),
      await startApp({ beside: app, environment: { PUBLIC_URL: "http://localhost:3000" } }),
    ];
    const [one, two] = sites.map(({ deps }) => deps.mailboxToken);
    expect(one).toMatch(/^[\w-]{32}$/);
    expect(two).toMatch(/^[\w-]{32}$/);
    expect(one).not.toBe(two);
    for (const site of sites) await site.close();
  });

  it("accepts any characters in MAILBOX_TOKEN", async () => {
    const token = 'ä b;c=d%&"é';
    const site = await startApp({ beside: app, environment: { MAILBOX_TOKEN: token } });
    try {
      const link = `/mailbox?token=${encodeURIComponent(token)}`;
      const answer = await visitor(site).call("GET", link);
      const cookie = answer.headers.get("set-cookie")!.split(";")[0]!;
      expect((await visitor(site).call("GET", "/mailbox", undefined, { cookie })).status).toBe(200);
    } finally {
      await site.close();
    }
  });

  it("logs a wrong mailbox token as a security event, and never a token itself", async () => {
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    const environment = { MAILBOX_TOKEN: "TOKENSECRET", LOG_LEVEL: "trace" };
    const site = await startApp({ beside: app, environment, parts: { logStream } });
    try {
      for (const path of closed) {
        for (const query of ["?token=TOKENSECRET", "?token=WRONGSECRET"]) await visitor(site).call("GET", path + query);
        await visitor(site).call("GET", path, undefined, {
          authorization: "Bearer TOKENSECRET",
          cookie: "mailbox=TOKENSECRET",
        });
      }
      expect(lines.join("")).toContain('"event":"access_refused"');
      expect(lines.join("")).not.toMatch(/TOKENSECRET|WRONGSECRET/);
    } finally {
      await site.close();
    }
  });
});

// MAIL-6.
describe("the HTML of a mail", () => {
  it("displays a mail's HTML in a frame that runs and loads nothing", async () => {
    await send(mail("frame@example.com", "Framed", { button: { label: "Choose", url: "https://course.example.com/x" } }));
    const page = await read("/mailbox");
    const [, path = ""] = /<iframe src="([^"]+)" title="HTML of Framed"/.exec(page.body) ?? [];
    expect(page.headers.get("content-security-policy")).toContain("frame-src 'self'");
    const { status, headers, body } = await read(path);
    expect([status, headers.get("x-frame-options")]).toEqual([200, "SAMEORIGIN"]);
    const policy = headers.get("content-security-policy");
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/);
    expect(body).toContain('<head><base target="_blank">');
    expect(body).toContain('<a href="https://course.example.com/x"');
  });

  it.each(["0", "-1", "1.5", "x", "999999999", "99999999999999999999"])("finds no HTML of mail %s", async (id) => {
    expect((await read(`/mailbox/mails/${id}`)).status).toBe(404);
  });
});

describe("the mailbox is refused to everyone else", () => {
  it.each([
    ["a name of the outside world", { host: "course.example.com" }],
    ["a name that only begins like this machine", { host: "localhost.example.com" }],
    ["a proxy in front", { "x-forwarded-for": "203.0.113.7" }],
    ["a proxy that says so the new way", { forwarded: "for=203.0.113.7" }],
  ])("refuses the mailbox through %s", async (_what, headers) => {
    for (const path of paths) expect(await statusWith({ ...opened, ...headers }, path)).toBe(404);
  });

  it.each([
    ["once SMTP is set", { SMTP_URL: "smtp://127.0.0.1:9" }],
    [
      "when PUBLIC_URL is not this machine",
      { PUBLIC_URL: "https://course.example.com", MAILBOX_TOKEN: "a-token-of-the-tests" },
    ],
    ["in production", { NODE_ENV: "production", ADMIN_EMAIL: "admin@example.com", RATE_LIMITS: "on" }],
  ])("has no mailbox %s", async (_when, environment) => {
    const site = await startApp({ beside: app, environment });
    try {
      expect(site.deps.mailboxToken).toBeUndefined();
      for (const path of paths) expect((await visitor(site).call("GET", path, undefined, opened)).status).toBe(404);
    } finally {
      await site.close();
    }
  });
});
