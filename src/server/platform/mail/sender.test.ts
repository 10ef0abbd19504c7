// Over 250 lines: what becomes of a mail with one server, several processes, and none.
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import type { Mailserver } from "../../../../tests/support/mails/mail-server.ts";
import {
  endAfterTest,
  idle,
  lookAgain,
  mailRows,
  note,
  recipients,
  siteWith,
  started,
} from "../../../../tests/support/mails/outbox.ts";
import { fixedPort } from "../../../../tests/support/network/fixed-port.ts";
import { soon } from "../../../../tests/support/soon.ts";
import { unverifiedStudent } from "../../../../tests/support/people.ts";
import { secondsAfter } from "../clock.ts";
import { composeMail } from "./layout.ts";
import { leaseSeconds, type Mail } from "./outbox.ts";
import { claimDue } from "./queries.ts";
import type { ChangeFeed, FeedEvent } from "../realtime/changes.ts";
import { startOutbox, type Mailer } from "./sender.ts";

/** Any process's mailer looks again at once, as its timer would. */
const wake = (site: TestApp) => site.sql(`select pg_notify('changes', '{"topic":"mail"}')`);

describe("a mail by SMTP", () => {
  it("arrives as text and HTML with the right envelope, and its text is erased here", async () => {
    const server = await started();
    const site = await siteWith(server.url, { environment: { MAIL_FROM: "The Course <course@example.com>" } });
    const someone = await unverifiedStudent(site);
    await someone.call("POST", "/functions/v1/send-verification-email", {});
    await soon(() => expect(server.taken).toHaveLength(1));
    const [{ from, to, message }] = server.taken as [Mailserver["taken"][number]];
    expect([from, to]).toEqual(["course@example.com", [someone.email]]);
    expect(message).toMatch(/^From: The Course <course@example.com>\r$/m);
    expect(message).toMatch(/^Subject: Your Pipwright verification code\r$/m);
    expect(message).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(message).toContain("Content-Type: text/plain");
    expect(message).toContain("Content-Type: text/html");
    expect(message).toMatch(/^\d{6}\r$/m);
    await soon(async () => {
      expect(await mailRows(site, someone.email)).toMatchObject([
        { sent_at: expect.any(Date), sealed_body: null, attempts: 1, next_attempt_at: null, last_error: null },
      ]);
    });
  });

  it("cannot be given another header or recipient by a name, a subject or an address", async () => {
    const server = await started();
    const site = await siteWith(server.url);
    await site.mailer.enqueue(site.deps.db, note("ann@example.com", "Hello\r\nBcc: all@example.com"));
    await site.mailer.enqueue(site.deps.db, note("bob@example.com,all@example.com"));
    await soon(() => expect(server.taken.length).toBeGreaterThan(0));
    await site.mailer.enqueue(site.deps.db, note("carl@example.com"));
    await soon(() => expect(server.taken.map(({ to }) => to)).toContainEqual(["carl@example.com"]));
    expect(server.taken.some(({ to }) => to.includes("all@example.com"))).toBe(false);
    const headers = server.taken[0]?.message.split("\r\n\r\n")[0];
    expect(headers).toMatch(/^Subject: Hello Bcc: all@example.com\r$/m);
    expect(headers).not.toMatch(/^Bcc:/m);
  });

  it("is sent once, though two processes wake for it", async () => {
    const server = await started({ hold: () => pause(20) });
    const one = await siteWith(server.url);
    const two = await siteWith(server.url, { beside: one });
    const addresses = Array.from({ length: 30 }, (_, index) => `reader${index}@example.com`);
    await Promise.all(addresses.map((to, index) => [one, two][index % 2]!.mailer.enqueue(one.deps.db, note(to))));
    await soon(() => expect(server.taken).toHaveLength(30));
    await Promise.all([lookAgain(one), lookAgain(two)]);
    expect(server.taken).toHaveLength(30);
    expect(new Set(recipients(server))).toEqual(new Set(addresses));
  });
});

it("looks for mails again when their notifications may have been missed", async () => {
  const server = await started();
  const site = await siteWith(server.url);
  await site.mailer.stop();
  const listeners: ((event: FeedEvent) => void)[] = [];
  const subscribe: ChangeFeed["subscribe"] = (listener) => {
    listeners.push(listener);
    return () => {};
  };
  const changes = { ...site.deps.changes, subscribe };
  const mailer = startOutbox({ ...site.deps, changes, pollMs: 3_600_000 });
  endAfterTest(() => mailer.stop());
  await expect.poll(() => mailer.worker.lastClaimAt).toBeDefined();
  await mailer.enqueue(site.deps.db, note("ann@example.com"));
  for (const listener of listeners) listener({ topic: "gap" });
  await expect.poll(() => recipients(server)).toEqual(["ann@example.com"]);
});

it("logs that the mailer waits when it cannot claim a mail", async () => {
  const site = await siteWith("smtp://127.0.0.1:9");
  const lines: string[] = [];
  const steady = (): never => {
    throw new Error("PostgreSQL is away.");
  };
  const clock = { ...site.clock, steady };
  const mailer = startOutbox({ ...site.deps, clock, log: (line) => lines.push(line), pollMs: 3_600_000 });
  endAfterTest(() => mailer.stop());
  await expect.poll(() => lines[0]).toContain("The mailer waits");
});

it("sends all mails that are written at once, and none where there are none", async () => {
  const server = await started();
  const site = await siteWith(server.url);
  const addresses = ["ann@example.com", "bob@example.com"];
  await site.mailer.enqueueAll(site.deps.db, []);
  await site.mailer.enqueueAll(
    site.deps.db,
    addresses.map((to) => note(to)),
  );
  await soon(() => expect(recipients(server)).toHaveLength(2));
  expect(new Set(recipients(server))).toEqual(new Set(addresses));
});

describe("a mail server that is down", () => {
  it("delays no request while it accepts connections and stays silent", async () => {
    const connections: Socket[] = [];
    const silent = createServer((socket) => connections.push(socket.on("error", () => {}))).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const site = await siteWith(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    endAfterTest(async () => {
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => silent.close(resolve));
    });
    const someone = await unverifiedStudent(site);
    expect((await someone.call("POST", "/functions/v1/send-verification-email", {})).status).toBe(200);
    // The attempt has not ended: nothing waited for it.
    expect(await mailRows(site, someone.email)).toMatchObject([{ sent_at: null, last_error: null }]);
    await soon(() => expect(connections).toHaveLength(1));
  });

  it("gets the mail once it is back, and refuses no sign-up or code meanwhile", async () => {
    const port = await fixedPort();
    const site = await siteWith(`smtp://127.0.0.1:${port}`);
    const someone = await unverifiedStudent(site);
    expect((await someone.call("POST", "/functions/v1/send-verification-email", {})).status).toBe(200);
    await soon(async () => {
      const [row] = await mailRows(site, someone.email);
      expect(row).toMatchObject({ attempts: 1, sent_at: null, last_error: expect.stringContaining("ECONNREFUSED") });
    });

    const back = await started({ port });
    site.clock.advance(5);
    await wake(site);
    await soon(() => expect(back.taken.map(({ to }) => to)).toEqual([[someone.email]]));
    await soon(async () => {
      expect(await mailRows(site, someone.email)).toMatchObject([{ attempts: 2, sealed_body: null, last_error: null }]);
    });
  });

  it("retries a mail at growing pauses and gives it up after two days", async () => {
    const server = await started({ refuse: () => "try later" });
    const site = await siteWith(server.url);
    await site.mailer.enqueue(site.deps.db, note("late@example.com"));
    const failed = (attempt: number) =>
      soon(async () => {
        const [row] = await mailRows(site, "late@example.com");
        expect(row).toMatchObject({ attempts: attempt, sent_at: null, last_error: expect.stringContaining("try later") });
        if (!row?.next_attempt_at) return null;
        const wait = (row.next_attempt_at.getTime() - site.clock.now().getTime()) / 1000;
        // While the attempt runs, its lease stands there.
        expect(Math.abs(wait - leaseSeconds)).toBeGreaterThan(2);
        return wait;
      });
    for (const [index, expected] of [5, 15, 45, 135, 405, 1215, 3600, 3600].entries()) {
      const wait = await failed(index + 1);
      expect(Math.abs(wait! - expected)).toBeLessThan(2);
      site.clock.advance(expected);
      await wake(site);
    }
    await failed(9);
    site.clock.advance(2 * 24 * 3600);
    await wake(site);
    expect(await failed(10)).toBeNull();
  });

  it("delays no other mail when the server is slow over one", async () => {
    let goOn = (): void => {};
    const slow = new Promise<void>((resolve) => (goOn = resolve));
    const server = await started({ hold: (to) => (to === "slow@example.com" ? slow : undefined) });
    const site = await siteWith(server.url);
    await site.mailer.enqueue(site.deps.db, note("slow@example.com"));
    for (let index = 0; index < 10; index++) {
      await site.mailer.enqueue(site.deps.db, note(`quick${index}@example.com`));
    }
    await soon(() => expect(server.taken).toHaveLength(10));
    expect(recipients(server)).not.toContain("slow@example.com");
    goOn();
    await soon(() => expect(recipients(server)).toContain("slow@example.com"));
  });
});

describe("the mailer", () => {
  it("tries a killed process's mail again after its lease", async () => {
    const server = await started();
    const site = await siteWith("smtp://127.0.0.1:9");
    const mail = note("left@example.com");
    await site.mailer.enqueue(site.deps.db, mail);
    await soon(async () => expect((await mailRows(site, mail.to))[0]?.last_error).not.toBeNull());
    await site.sql("update mail_outbox set attempts = 5, next_attempt_at = $1", [
      new Date(site.clock.now().getTime() + 300_000),
    ]);
    const next = await siteWith(server.url, { beside: site });
    await lookAgain(next);
    expect(server.taken).toEqual([]);
    next.clock.advance(301);
    await wake(next);
    await soon(() => expect(server.taken).toHaveLength(1));
  });

  // MAIL-10
  it("claims a reminder before news that has waited for hours", async () => {
    const site = await siteWith("smtp://127.0.0.1:9");
    const { id: accountId } = await unverifiedStudent(site);
    await site.mailer.stop();
    const news: Mail = { ...note("news@example.com"), choice: { accountId, kind: "news" } };
    await site.mailer.enqueueAll(site.deps.db, [news]);
    site.clock.advance(12 * 3600);
    const expiresAt = secondsAfter(site.clock.now(), 3600);
    const reminder: Mail = { ...note("soon@example.com"), choice: { accountId, kind: "live_session_reminder" }, expiresAt };
    await site.mailer.enqueue(site.deps.db, reminder);
    const lease = { now: site.clock.steady(), leaseEnd: secondsAfter(site.clock.steady(), leaseSeconds) };
    expect((await claimDue(site.deps.db, lease, []))?.recipient).toBe("soon@example.com");
    expect((await claimDue(site.deps.db, lease, []))?.recipient).toBe("news@example.com");
  });

  it("finishes the mail it is sending when it is stopped, and begins no other", async () => {
    let goOn: (() => void) | undefined;
    const server = await started({ hold: () => new Promise<void>((resolve) => (goOn = resolve)) });
    const site = await siteWith(server.url);
    await site.mailer.enqueue(site.deps.db, note("last@example.com"));
    await soon(() => expect(goOn).toBeDefined());
    const stopped = site.mailer.stop();
    goOn!();
    await stopped;
    expect(await mailRows(site, "last@example.com")).toMatchObject([{ attempts: 1, sent_at: expect.any(Date) }]);
    await site.mailer.enqueue(site.deps.db, note("next@example.com"));
    site.mailer.worker.wake();
    // It is left to a process that starts afterwards.
    const elsewhere = await started();
    const next = await siteWith(elsewhere.url, { beside: site });
    await soon(() => expect(recipients(elsewhere)).toEqual(["next@example.com"]));
    await idle(next);
    expect(await mailRows(site, "next@example.com")).toMatchObject([{ attempts: 1, sent_at: expect.any(Date) }]);
    expect(recipients(server)).toEqual(["last@example.com"]);
  });

  it("prints no mail in production without SMTP, only one warning", async () => {
    const site = await startApp();
    endAfterTest(() => site.close());
    const { config } = site.deps;
    const inProduction = { ...config, operation: { ...config.operation, production: true } };
    const lines: string[] = [];
    const mailer = startOutbox({ ...site.deps, config: inProduction, log: (line) => lines.push(line), pollMs: 50 });
    endAfterTest(() => mailer.stop());
    // The site's own mailer would print some of them.
    await (site.deps.outbox as Mailer).stop();
    for (let index = 0; index < 3; index++) await mailer.enqueue(site.deps.db, note(`c${index}@example.com`));
    await soon(async () => {
      expect(await site.sql("select 1 from mail_outbox where next_attempt_at is not null")).toEqual([]);
    });
    const warning = "Mails go nowhere, since SMTP_URL is not set: nobody gets a code or a link.";
    await soon(() => expect(lines).toEqual([warning]));
  });

  it("prints one line a mail without SMTP, once over all processes", async () => {
    const site = await startApp();
    endAfterTest(() => site.close());
    // The site's own mailer prints to the console.
    await (site.deps.outbox as Mailer).stop();
    const lines: string[] = [];
    const processes = [0, 1].map(() => startOutbox({ ...site.deps, log: (line) => lines.push(line), pollMs: 50 }));
    endAfterTest(() => Promise.all(processes.map((mailer) => mailer.stop())));
    for (let index = 0; index < 8; index++) {
      const mail = composeMail({
        site: { name: "Pipwright" },
        to: `c${index}@example.com`,
        subject: "Your code",
        heading: "Code",
        paragraphs: [],
        code: "123456",
      });
      await processes[0]!.enqueue(site.deps.db, mail);
    }
    await soon(() => expect(lines.length).toBeGreaterThanOrEqual(8));
    for (const mailer of processes) await mailer.stop();
    const wanted = Array.from({ length: 8 }, (_, index) => `Mail to c${index}@example.com: Your code · 123456`);
    expect(lines.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(wanted);
  });
});
