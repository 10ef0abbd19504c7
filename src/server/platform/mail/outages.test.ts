import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Behaviour } from "../../../../tests/support/mails/mail-server.ts";
import {
  endAfterTest,
  failedTimes,
  idle,
  mailRows,
  note,
  recipients,
  siteWith,
  started,
  type MailingApp,
} from "../../../../tests/support/mails/outbox.ts";
import { fixedPort } from "../../../../tests/support/network/fixed-port.ts";
import { soon } from "../../../../tests/support/soon.ts";
import { transaction } from "../db/transaction.ts";
import { giveUpAfterSeconds } from "./outbox.ts";
import { startOutbox } from "./sender.ts";

/** Fails mails until each has waited long, as in the middle of a long outage. */
async function outageOf(site: MailingApp, mails: string[]): Promise<void> {
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

  // MAIL-4
  it.each([1, 2, 3])("and could not be reached gets the oldest mail first after %i probes", async (probes) => {
    const port = await fixedPort();
    const site = await siteWith(`smtp://127.0.0.1:${port}`);
    const probe = async (): Promise<void> => {
      const before = site.mailer.smtp!.health.outage!.probes;
      site.clock.advance(31);
      site.mailer.worker.wake();
      await soon(() => expect(site.mailer.smtp!.health.outage!.probes).toBe(before + 1));
      await idle(site);
    };
    await site.mailer.enqueue(site.deps.db, note("one@example.com"));
    await soon(() => expect(site.mailer.smtp!.health.outage).toBeDefined());
    // It claims one after the other: none from before the outage is left, to take a later mail.
    await probe();
    for (const to of ["two@example.com", "three@example.com"]) {
      site.clock.advance(1);
      await site.mailer.enqueue(site.deps.db, note(to));
    }
    for (let further = 1; further < probes; further++) await probe();
    const server = await started({ port });
    site.clock.advance(31);
    site.mailer.worker.wake();
    await soon(() => expect(recipients(server)).toHaveLength(3));
    expect(recipients(server)[0]).toBe("one@example.com");
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
    endAfterTest(() => mailer.stop());
    await outageOf(Object.assign(base, { mailer }), ["one@example.com", "two@example.com", "three@example.com"]);
    isDown = false;
    base.clock.advance(31);
    mailer.worker.wake();
    await soon(() => expect(server.taken).toHaveLength(3));
    expect(lines).toEqual([expect.stringContaining("Closed for cleaning"), expect.stringContaining("takes mails again")]);
    expect(lines.join("\n")).not.toContain("@example.com");
  });
});

describe("a permanent refusal", () => {
  it.each([
    ["of the recipient", { refuseAt: { recipient: () => ({ code: 550, text: "No such mailbox" }) } }],
    ["of another kind of recipient", { refuseAt: { recipient: () => ({ code: 553, text: "Bad name" }) } }],
    ["by the status of a recipient", { refuseAt: { recipient: () => ({ code: 550, text: "5.1.1 Unknown, or no relay" }) } }],
  ] as [string, Behaviour][])("%s gives the mail up at once", async (_name, behaviour) => {
    const server = await started(behaviour);
    const site = await siteWith(server.url);
    await site.mailer.enqueue(site.deps.db, note("gone@example.com"));
    await soon(async () => {
      expect(await mailRows(site, "gone@example.com")).toMatchObject([
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

  // MAIL-4. Postfix and Exim judge the client and the sender at the recipient.
  it.each([
    [553, "5.7.1 Sender address rejected: not owned by user"],
    [554, "5.7.1 Client host [192.0.2.1] blocked"],
    [550, "5.4.5 Daily sending quota exceeded"],
    [550, "relay not permitted"],
  ])("%i %s is retried, and no outage", async (code, text) => {
    const refusal = { code, text };
    const server = await started({ refuseAt: { recipient: (to) => (to === "fine@example.com" ? refusal : undefined) } });
    const site = await siteWith(server.url);
    await site.mailer.enqueue(site.deps.db, note("fine@example.com"));
    expect(await failedTimes(site, "fine@example.com", 1)).toMatchObject({
      next_attempt_at: expect.any(Date),
      failed_at: null,
    });
    expect(site.mailer.smtp!.health.outage).toBeUndefined();
  });
});

// OWN-3, MAIL-4
it("gives up no mail at an address that its account has left meanwhile", async () => {
  let [move, accept] = [(): void => {}, (): void => {}];
  const [reached, moved] = [new Promise<void>((go) => (move = go)), new Promise<void>((go) => (accept = go))];
  const reasons: (string | undefined)[] = ["Later", undefined];
  const server = await started({
    refuse: () => reasons.shift(),
    hold: (to) => (to === "old@example.com" ? (move(), moved) : undefined),
  });
  const base = await siteWith(server.url);
  await base.mailer.stop();
  const lines: string[] = [];
  const mailer = startOutbox({ ...base.deps, log: (line) => lines.push(line) });
  endAfterTest(() => mailer.stop());
  const accountId = randomUUID();
  await mailer.enqueue(base.deps.db, { ...note("old@example.com"), accountId });
  await reached;
  await transaction(base.deps.db, (tx) => mailer.redirect(tx, { accountId, from: "old@example.com", to: "new@example.com" }));
  base.clock.advance(giveUpAfterSeconds + 1);
  accept();
  await soon(() => expect(recipients(server)).toEqual(["new@example.com"]));
  await soon(async () => expect(await mailRows(base, "new@example.com")).toMatchObject([{ attempts: 2, last_error: null }]));
  expect(lines).toEqual([]);
});
