import { describe, expect, it } from "vitest";
import {
  failedTimes,
  idle,
  mailRows,
  note,
  recipients,
  secondsUntilDue,
  siteWith,
  started,
} from "../../../../tests/support/mails/outbox.ts";
import { soon } from "../../../../tests/support/soon.ts";
import { unverifiedStudent, type Person } from "../../../../tests/support/people.ts";
import { transaction } from "../db/transaction.ts";
import { requeue } from "./failure-queries.ts";

const requestCode = (someone: Person) => someone.call("POST", "/functions/v1/send-verification-email", {});

describe("a mail whose code expires", () => {
  it("retries a code mail within 30 s while its code is valid", async () => {
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

  it("does not send a mail whose code has expired", async () => {
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
      expect(await mailRows(site, someone.email)).toMatchObject([
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

  it("does not send a mail whose code was replaced", async () => {
    let isDown = true;
    const server = await started({ refuseAt: { connect: () => (isDown ? { code: 421, text: "Closed" } : undefined) } });
    const site = await siteWith(server.url);
    const someone = await unverifiedStudent(site);
    await requestCode(someone);
    await failedTimes(site, someone.email, 1);
    site.clock.advance(61);
    expect((await requestCode(someone)).status).toBe(200);
    await idle(site);
    isDown = false;
    site.clock.advance(31);
    await site.mailer.enqueue(site.deps.db, note("other@example.com"));
    await soon(async () => expect((await mailRows(site, someone.email))[1]?.sent_at).not.toBeNull());
    await soon(() => expect(new Set(recipients(server))).toEqual(new Set(["other@example.com", someone.email])));
    await idle(site);
    expect(recipients(server)).toHaveLength(2);
    expect(await mailRows(site, someone.email)).toMatchObject([
      { sent_at: null, next_attempt_at: null, sealed_body: null, last_error: expect.stringContaining("newer") },
      {},
    ]);
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
    // The worker has looked for mails with the clock that was set.
    await failedTimes(site, "bob@example.com", 1);
    const [ann] = await mailRows(site, "ann@example.com");
    expect(ann?.attempts).toBe(1);
    expect(secondsUntilDue(site, ann)).toBeLessThanOrEqual(before);
    isDown = false;
    site.clock.advance(6);
    site.mailer.worker.wake();
    await soon(() => expect(new Set(recipients(server))).toEqual(new Set(["ann@example.com", "bob@example.com"])));
  });

  it("does not delay a mail when the clock is set back before a restart", async () => {
    const server = await started();
    const site = await siteWith("smtp://127.0.0.1:9");
    await site.mailer.enqueue(site.deps.db, note("ann@example.com"));
    await failedTimes(site, "ann@example.com", 1);
    await site.mailer.stop();
    // As another start would see it: everything was written an hour ahead of its clock.
    await site.sql(
      "update mail_outbox set attempted_at = attempted_at + interval '1 hour', next_attempt_at = next_attempt_at + interval '1 hour'",
    );
    const next = await siteWith(server.url, { beside: site });
    await soon(() => expect(next.mailer.worker.lastClaimAt).toBeDefined());
    next.clock.advance(301);
    next.mailer.worker.wake();
    await soon(() => expect(recipients(server)).toEqual(["ann@example.com"]));
  });
});

// MAIL-4
it("tries a mail that is sent again for two days more", async () => {
  const server = await started({ refuseAt: { recipient: () => ({ code: 450, text: "Later" }) } });
  const site = await siteWith(server.url);
  const to = "ann@example.com";
  await site.mailer.enqueue(site.deps.db, note(to));
  await failedTimes(site, to, 1);
  const twoDays = 2 * 24 * 3600;
  site.clock.advance(twoDays + 1);
  site.mailer.worker.wake();
  const failed = await failedTimes(site, to, 2);
  expect(failed!.failed_at).not.toBeNull();
  const again = { now: site.clock.now(), dueAt: site.clock.steady() };
  await transaction(site.deps.db, (tx) => requeue(tx, failed!.id, again));
  const row = await failedTimes(site, to, 1);
  expect([row!.failed_at, secondsUntilDue(site, row)]).toEqual([null, 5]);
  site.clock.advance(twoDays + 1);
  site.mailer.worker.wake();
  expect((await failedTimes(site, to, 2))!.failed_at).not.toBeNull();
});
