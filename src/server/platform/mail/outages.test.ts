import { afterEach, describe, expect, it, vi } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { mailServer, type Behaviour, type Mailserver } from "../../../../tests/support/mail-server.ts";
import { unverifiedStudent, type Person } from "../../../../tests/support/people.ts";
import { secondsAfter } from "../clock.ts";
import { composeMail } from "./layout.ts";
import type { Mail } from "./outbox.ts";
import * as queries from "./queries.ts";
import { startOutbox, type Mailer } from "./sender.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function siteWith(smtpUrl: string, beside?: TestApp): Promise<TestApp & { mailer: Mailer }> {
  const site = await startApp({ environment: { SMTP_URL: smtpUrl }, ...(beside && { beside }) });
  ends.push(() => site.close());
  return Object.assign(site, { mailer: site.deps.outbox as Mailer });
}

async function started(behaviour?: Behaviour): Promise<Mailserver> {
  const server = await mailServer(behaviour);
  ends.push(() => server.stop());
  return server;
}

const note = (to: string): Mail =>
  composeMail({ siteName: "Pipwright", to, subject: "Hello", heading: "Hello", paragraphs: ["A line."] });
const soon = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, { timeout: 8000, interval: 20 });
const recipients = (server: Mailserver) => server.taken.map(({ to }) => to[0]);

interface Row {
  recipient: string;
  attempts: number;
  sent_at: Date | null;
  failed_at: Date | null;
  next_attempt_at: Date | null;
  failure_kind: string | null;
  last_error: string | null;
  sealed_body: Buffer | null;
}
const rows = (site: TestApp, to: string) => site.sql<Row>("select * from mail_outbox where recipient = $1 order by id", [to]);
const requestCode = (someone: Person) => someone.call("POST", "/functions/v1/send-verification-email", {});
const secondsUntilDue = (site: TestApp, row: Row | undefined) =>
  (row!.next_attempt_at!.getTime() - site.clock.steady().getTime()) / 1000;
/** Waits until a mail has failed that often. */
const failedTimes = (site: TestApp, to: string, attempts: number) =>
  soon(async () => {
    const [row] = await rows(site, to);
    expect(row?.attempts).toBe(attempts);
    expect(row?.failure_kind).not.toBeNull();
    return row;
  });

/** Waits until nothing is being sent. */
const idle = (site: { mailer: Mailer }) => soon(() => expect(site.mailer.worker.inFlight.size).toBe(0));

/** Fails mails until each has waited long, as in the middle of a long outage. */
async function outageOf(site: TestApp & { mailer: Mailer }, mails: string[]): Promise<void> {
  for (const to of mails) await site.mailer.enqueue(site.deps.db, note(to));
  await soon(() => expect(site.mailer.smtp!.health.outage).toBeDefined());
  await idle(site);
  for (let probe = 0; probe < 8; probe++) {
    const before = site.mailer.smtp!.health.outage!.probes;
    site.clock.advance(31);
    site.mailer.worker.wake();
    await soon(() => expect(site.mailer.smtp!.health.outage!.probes).toBeGreaterThan(before));
    await idle(site);
  }
}

describe("an SMTP server that is down", () => {
  it("gets one probe at a time, at most 30 s apart", async () => {
    let connections = 0;
    const server = await started({
      refuseAt: {
        connect() {
          connections += 1;
          return { code: 421, text: "Closed" };
        },
      },
    });
    const site = await siteWith(server.url);
    await outageOf(
      site,
      Array.from({ length: 12 }, (_, index) => `waits${index}@example.com`),
    );
    const before = connections;
    for (let probe = 1; probe <= 3; probe++) {
      site.clock.advance(31);
      site.mailer.worker.wake();
      await soon(() => expect(connections).toBe(before + probe));
      await idle(site);
      site.mailer.worker.wake();
      await soon(() => expect(site.mailer.smtp!.health.mayTry()).toBe(false));
    }
    expect(connections).toBe(before + 3);
    const { outage } = site.mailer.smtp!.health;
    expect((outage!.nextProbeAt.getTime() - site.clock.steady().getTime()) / 1000).toBeLessThanOrEqual(30);
  });

  it.each<[string, (isDown: () => boolean) => Behaviour]>([
    ["closed", (isDown) => ({ refuseAt: { connect: () => (isDown() ? { code: 421, text: "Closed" } : undefined) } })],
    ["refusing the sender", (isDown) => ({ refuseAt: { sender: () => (isDown() ? { code: 451, text: "Full" } : undefined) } })],
    [
      "asking to authenticate",
      (isDown) => ({ refuseAt: { sender: () => (isDown() ? { code: 530, text: "Auth" } : undefined) } }),
    ],
    ["refusing messages", (isDown) => ({ refuse: () => (isDown() ? "Disk full" : undefined) })],
    [
      "refusing recipients for now",
      (isDown) => ({ refuseAt: { recipient: () => (isDown() ? { code: 450, text: "Later" } : undefined) } }),
    ],
  ])("and was %s sends every waiting mail soon after it is back", async (_name, behaviour) => {
    let isDown = true;
    const server = await started(behaviour(() => isDown));
    const site = await siteWith(server.url);
    const mails = ["one@example.com", "two@example.com", "three@example.com", "four@example.com", "five@example.com"];
    await outageOf(site, mails);
    isDown = false;
    site.clock.advance(31);
    site.mailer.worker.wake();
    await soon(() => expect(new Set(recipients(server))).toEqual(new Set(mails)));
    expect(site.mailer.smtp!.health.outage).toBeUndefined();
  });

  it("is logged once when it stops and once when it is back", async () => {
    let isDown = true;
    const server = await started({
      refuseAt: { connect: () => (isDown ? { code: 421, text: "Closed for cleaning" } : undefined) },
    });
    const base = await siteWith("smtp://127.0.0.1:9");
    await base.mailer.stop();
    const lines: string[] = [];
    const { config: settings } = base.deps;
    const config = { ...settings, mail: { ...settings.mail, smtpUrl: server.url } };
    const mailer = startOutbox({ ...base.deps, config, log: (line) => lines.push(line) });
    ends.push(() => mailer.stop());
    await outageOf(Object.assign(base, { mailer }), ["one@example.com", "two@example.com", "three@example.com"]);
    isDown = false;
    base.clock.advance(31);
    mailer.worker.wake();
    await soon(() => expect(server.taken).toHaveLength(3));
    expect(lines).toEqual([expect.stringContaining("Closed for cleaning"), expect.stringContaining("takes mails again")]);
    expect(lines.join("\n")).not.toContain("@example.com");
  });
});

describe("a mail whose code expires", () => {
  it("is retried within 30 s for as long as the code is valid", async () => {
    const server = await started({ refuseAt: { recipient: () => ({ code: 450, text: "Later" }) } });
    const site = await siteWith(server.url);
    const someone = await unverifiedStudent(site);
    await requestCode(someone);
    for (let attempt = 1; attempt < 8; attempt++) {
      const row = await failedTimes(site, someone.email, attempt);
      expect(secondsUntilDue(site, row)).toBeLessThanOrEqual(30);
      site.clock.advance(31);
      site.mailer.worker.wake();
    }
  });

  it("is not sent once the code has expired", async () => {
    let isDown = true;
    const server = await started({ refuseAt: { connect: () => (isDown ? { code: 421, text: "Closed" } : undefined) } });
    const site = await siteWith(server.url);
    const someone = await unverifiedStudent(site);
    await requestCode(someone);
    await failedTimes(site, someone.email, 1);
    isDown = false;
    site.clock.advance(10 * 60);
    await site.mailer.enqueue(site.deps.db, note("other@example.com"));
    await soon(() => expect(recipients(server)).toEqual(["other@example.com"]));
    await soon(async () => {
      expect(await rows(site, someone.email)).toMatchObject([
        {
          sent_at: null,
          failed_at: null,
          next_attempt_at: null,
          sealed_body: null,
          last_error: expect.stringContaining("expired"),
        },
      ]);
    });
  });

  it("is not sent once a newer code replaced it", async () => {
    let isDown = true;
    const server = await started({ refuseAt: { connect: () => (isDown ? { code: 421, text: "Closed" } : undefined) } });
    const site = await siteWith(server.url);
    const someone = await unverifiedStudent(site);
    await requestCode(someone);
    await failedTimes(site, someone.email, 1);
    site.clock.advance(61);
    isDown = false;
    expect((await requestCode(someone)).status).toBe(200);
    await soon(async () => expect((await rows(site, someone.email))[1]?.sent_at).not.toBeNull());
    await idle(site);
    expect(recipients(server)).toEqual([someone.email]);
    expect(await rows(site, someone.email)).toMatchObject([
      { sent_at: null, next_attempt_at: null, sealed_body: null, last_error: expect.stringContaining("newer") },
      {},
    ]);
  });
});

describe("a permanent refusal", () => {
  it.each([
    ["of the recipient", { refuseAt: { recipient: () => ({ code: 550, text: "No such mailbox" }) } }],
    ["of another kind of recipient", { refuseAt: { recipient: () => ({ code: 553, text: "Bad name" }) } }],
  ] as [string, Behaviour][])("%s gives the mail up at once", async (_name, behaviour) => {
    const server = await started(behaviour);
    const site = await siteWith(server.url);
    await site.mailer.enqueue(site.deps.db, note("gone@example.com"));
    await soon(async () => {
      expect(await rows(site, "gone@example.com")).toMatchObject([
        { attempts: 1, next_attempt_at: null, failed_at: expect.any(Date), last_error: expect.stringMatching(/55[03]/) },
      ]);
    });
    expect(site.mailer.smtp!.health.outage).toBeUndefined();
  });

  it.each([
    ["of the connection", { refuseAt: { connect: () => ({ code: 554, text: "Blocked" }) } }],
    ["of the sender", { refuseAt: { sender: () => ({ code: 550, text: "Not yours" }) } }],
    ["for lack of authentication", { refuseAt: { recipient: () => ({ code: 530, text: "Authenticate first" }) } }],
  ] as [string, Behaviour][])("%s is retried, since it is not the recipient's fault", async (_name, behaviour) => {
    const server = await started(behaviour);
    const site = await siteWith(server.url);
    await site.mailer.enqueue(site.deps.db, note("fine@example.com"));
    expect(await failedTimes(site, "fine@example.com", 1)).toMatchObject({ failure_kind: "server", failed_at: null });
    expect(site.mailer.smtp!.health.outage).toBeDefined();
  });
});

describe("an SMTP server that hangs on some mails", () => {
  it("does not hold up the others", async () => {
    const stalls = (to: string | undefined): number => (to?.startsWith("stall") ? 600_000 : 0);
    const server = await started({ delayMs: stalls });
    const base = await siteWith("smtp://127.0.0.1:9");
    await base.mailer.stop();
    const { config: settings } = base.deps;
    const config = { ...settings, mail: { ...settings.mail, smtpUrl: server.url } };
    const mailer = startOutbox({ ...base.deps, config, log: () => {}, deadlineMs: 2000 });
    ends.push(() => mailer.stop());
    for (let index = 0; index < 6; index++) await mailer.enqueue(base.deps.db, note(`stall${index}@example.com`));
    for (let index = 0; index < 6; index++) await mailer.enqueue(base.deps.db, note(`quick${index}@example.com`));
    const quick = Array.from({ length: 6 }, (_, index) => `quick${index}@example.com`);
    await vi.waitFor(
      () => {
        // Several stalls in a row count as an outage until another mail passes.
        base.clock.advance(6);
        mailer.worker.wake();
        expect(new Set(recipients(server))).toEqual(new Set(quick));
      },
      { timeout: 15_000, interval: 500 },
    );
    const stalled = await rows(base, "stall0@example.com");
    expect(stalled[0]!.attempts).toBeGreaterThan(0);
    expect(stalled).toMatchObject([{ sent_at: null, failed_at: null }]);
  });

  it("makes those mails come last when they are due again", async () => {
    const site = await siteWith("smtp://127.0.0.1:9");
    await site.mailer.stop();
    for (const to of ["stall@example.com", "fine@example.com"]) await site.mailer.enqueue(site.deps.db, note(to));
    await site.sql("update mail_outbox set attempts = 1, failure_kind = 'stalled' where recipient = 'stall@example.com'");
    const now = site.clock.steady();
    const claim = () => queries.claimDue(site.deps.db, { now, leaseEnd: secondsAfter(now, 300) }, []);
    expect([(await claim())?.recipient, (await claim())?.recipient]).toEqual(["fine@example.com", "stall@example.com"]);
    expect(await claim()).toBeUndefined();
  });

  it("does not hold up a stop, which leaves the mail due at once", async () => {
    const server = await started({ delayMs: () => 600_000 });
    const site = await siteWith(server.url);
    await site.mailer.enqueue(site.deps.db, note("stall@example.com"));
    await soon(() => expect(site.mailer.worker.inFlight.size).toBe(1));
    await site.mailer.stop();
    const [row] = await rows(site, "stall@example.com");
    expect(row).toMatchObject({ sent_at: null, attempts: 1 });
    expect(secondsUntilDue(site, row)).toBeLessThanOrEqual(0);
  });
});

describe("a clock that is set", () => {
  it.each([
    ["back", -3600],
    ["ahead", 3600],
  ])("%s an hour neither stalls nor hurries a retry", async (_direction, seconds) => {
    let isDown = true;
    const server = await started({ refuseAt: { recipient: () => (isDown ? { code: 450, text: "Later" } : undefined) } });
    const site = await siteWith(server.url);
    await site.mailer.enqueue(site.deps.db, note("ann@example.com"));
    const before = secondsUntilDue(site, await failedTimes(site, "ann@example.com", 1));
    site.clock.set(seconds);
    await site.mailer.enqueue(site.deps.db, note("bob@example.com"));
    const [ann] = await rows(site, "ann@example.com");
    expect(ann?.attempts).toBe(1);
    expect(secondsUntilDue(site, ann)).toBeLessThanOrEqual(before);
    await failedTimes(site, "bob@example.com", 1);
    isDown = false;
    site.clock.advance(6);
    site.mailer.worker.wake();
    await soon(() => expect(new Set(recipients(server))).toEqual(new Set(["ann@example.com", "bob@example.com"])));
  });

  it("back before a restart does not keep a mail waiting", async () => {
    const server = await started();
    const site = await siteWith("smtp://127.0.0.1:9");
    await site.mailer.enqueue(site.deps.db, note("ann@example.com"));
    await failedTimes(site, "ann@example.com", 1);
    await site.mailer.stop();
    // As another start would see it: everything was written an hour ahead of its clock.
    await site.sql(
      "update mail_outbox set attempted_at = attempted_at + interval '1 hour', next_attempt_at = next_attempt_at + interval '1 hour'",
    );
    const next = await siteWith(server.url, site);
    await soon(() => expect(next.mailer.worker.lastClaimAt).toBeDefined());
    next.clock.advance(301);
    next.mailer.worker.wake();
    await soon(() => expect(recipients(server)).toEqual(["ann@example.com"]));
  });
});
