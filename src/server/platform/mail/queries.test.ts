// Over 250 lines: every query of one table, each at the edge where it decides.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { scratchDatabase, type ScratchDatabase } from "../../../../tests/support/database/scratch-database.ts";
import { secondsAfter } from "../clock.ts";
import { openDatabase, type Database } from "../db/database.ts";
import { mailOutbox } from "../db/schema.ts";
import { transaction } from "../db/transaction.ts";
import { canSendAgain, countFailures, findAllGivenUp, findWaiting, lockGivenUp, requeue } from "./failure-queries.ts";
import { deliveryDeadlineMs, giveUpAfterSeconds, leaseSeconds, retryDelaySeconds } from "./outbox.ts";
import * as queries from "./queries.ts";

let scratch: ScratchDatabase;
let db: Database;
beforeAll(async () => {
  scratch = await scratchDatabase("migrated");
  db = openDatabase({ ...scratch.connection, max: 3 }, () => {});
});
afterAll(async () => {
  await db?.$client.end();
  await scratch?.drop();
});
beforeEach(() => scratch.client.query("truncate mail_outbox restart identity"));

const now = new Date("2026-11-22T12:00:00Z");
const after = (seconds: number): Date => secondsAfter(now, seconds);
const lease = { now, leaseEnd: after(leaseSeconds) };

/** Inserts a mail that is due and was never tried, but for what is given. */
async function mail(given: Partial<queries.OutboxRow> = {}): Promise<queries.OutboxRow> {
  const due = {
    recipient: "a@example.com",
    subject: "Hello",
    created_at: now,
    next_attempt_at: now,
    sealed_body: Buffer.of(1),
  };
  const [row] = await db
    .insert(mailOutbox)
    .values({ ...due, ...given })
    .returning();
  return row!;
}

async function read({ id }: queries.OutboxRow): Promise<queries.OutboxRow | undefined> {
  const [row] = await db.select().from(mailOutbox).where(eq(mailOutbox.id, id));
  return row;
}

const waiting = (next: Date, given: Partial<queries.OutboxRow> = {}) => mail({ attempts: 1, next_attempt_at: next, ...given });
const givenUp = (given: Partial<queries.OutboxRow> = {}) =>
  mail({ attempts: 1, next_attempt_at: null, failed_at: now, last_error: "550", ...given });

describe("taking mails without a mail server", () => {
  it("marks mails that are due as sent, up to the limit, and leaves the rest", async () => {
    const [first, second, third] = [await mail(), await mail({ sent_at: after(-5) }), await mail()];
    const later = await waiting(after(1));
    const take = () => queries.claimAllDue(db, { now, sentAt: after(2) }, 2);
    expect((await take()).map(({ recipient }) => recipient)).toHaveLength(2);
    expect(await read(first)).toMatchObject({ attempts: 1, attempted_at: now, next_attempt_at: null, sent_at: after(2) });
    expect(await read(second)).toMatchObject({ attempts: 1, next_attempt_at: null, sent_at: after(-5) });
    expect(await read(third)).toMatchObject({ attempts: 0 });
    expect(await take()).toHaveLength(1);
    expect(await take()).toEqual([]);
    expect(await read(later)).toMatchObject({ attempts: 1, next_attempt_at: after(1) });
  });

  it("takes no mail that another process has locked", async () => {
    const [first, second] = [await mail(), await mail()];
    await transaction(db, async (tx) => {
      expect((await queries.claimDue(tx, lease, []))?.id).toBe(first.id);
      expect(await queries.claimAllDue(db, { now, sentAt: now }, 10)).toHaveLength(1);
    });
    expect(await read(second)).toMatchObject({ next_attempt_at: null });
    expect(await read(first)).toMatchObject({ next_attempt_at: after(300) });
  });
});

describe("claiming a mail", () => {
  // MAIL-10
  it("takes a necessary mail before older ones that can be turned off", async () => {
    await mail({ next_attempt_at: after(-60), is_optional: true });
    const stalled = await waiting(after(-10), { failure_kind: "stalled" });
    const fresh = await mail();
    const claimed = [await queries.claimDue(db, lease, []), await queries.claimDue(db, lease, [])];
    expect(claimed.map((row) => row?.id)).toEqual([fresh.id, stalled.id]);
  });

  // MAIL-10
  it("takes reminders that were tried or are sent again before older news", async () => {
    const news = await mail({ next_attempt_at: after(-3600), is_optional: true });
    const reminder = { is_optional: true, expires_at: after(3600) };
    const failed = await givenUp(reminder);
    await transaction(db, (tx) => requeue(tx, failed.id, { now, dueAt: after(-1) }));
    const tried = await waiting(now, { ...reminder, failure_kind: "mail" });
    const order = [];
    for (let count = 0; count < 3; count += 1) order.push((await queries.claimDue(db, lease, []))?.id);
    expect(order).toEqual([failed, tried, news].map(({ id }) => id));
  });

  it("takes the mail that is due longest and leases it for five minutes", async () => {
    await waiting(after(-10));
    const longest = await waiting(after(-20), { failure_kind: "server" });
    const claimed = await queries.claimDue(db, lease, []);
    expect(claimed).toMatchObject({
      id: longest.id,
      attempts: 2,
      attempted_at: now,
      next_attempt_at: after(300),
      failure_kind: null,
    });
    expect(await read(longest)).toEqual(claimed);
  });

  it("takes the older of two mails that are due since the same time", async () => {
    const [first, second] = [await mail(), await mail()];
    expect((await queries.claimDue(db, lease, []))?.id).toBe(first.id);
    expect((await queries.claimDue(db, lease, []))?.id).toBe(second.id);
  });

  it("takes no mail before its time, and at that time takes it", async () => {
    const { id } = await waiting(after(1));
    expect(await queries.claimDue(db, lease, [])).toBeUndefined();
    expect((await queries.claimDue(db, { now: after(1), leaseEnd: after(301) }, []))?.id).toBe(id);
  });

  it("takes a mail that was never tried, whatever its time says", async () => {
    const { id } = await mail({ next_attempt_at: after(3600) });
    expect((await queries.claimDue(db, lease, []))?.id).toBe(id);
  });

  it("takes no mail that was sent or given up, tried or not", async () => {
    await givenUp();
    await mail({ next_attempt_at: null, sent_at: now });
    expect(await queries.claimDue(db, lease, [])).toBeUndefined();
  });

  it("takes mails whose server stalled after all others", async () => {
    const stalled = await waiting(after(-60), { failure_kind: "stalled" });
    const others = [await waiting(after(-2), { failure_kind: "mail" }), await waiting(after(-1))];
    const order = [];
    for (let count = 0; count < 3; count += 1) order.push((await queries.claimDue(db, lease, []))?.id);
    expect(order).toEqual([...others, stalled].map(({ id }) => id));
  });

  it("passes over the mails that this process is sending, also after their lease", async () => {
    const [sending, other] = [await waiting(after(-2)), await waiting(after(-1))];
    expect((await queries.claimDue(db, lease, [sending.id]))?.id).toBe(other.id);
    expect(await queries.claimDue(db, lease, [sending.id])).toBeUndefined();
  });

  it("passes over a mail that another process is claiming, without waiting for it", async () => {
    const [first, second] = [await mail(), await mail()];
    await transaction(db, async (tx) => {
      expect((await queries.claimDue(tx, lease, []))?.id).toBe(first.id);
      expect((await queries.claimDue(db, lease, []))?.id).toBe(second.id);
      expect(await queries.claimDue(db, lease, [])).toBeUndefined();
    });
  });
});

describe("an attempt that ends", () => {
  it("records an attempt for its own mail only", async () => {
    const [row, other] = [await waiting(after(300)), await waiting(after(300))];
    await queries.finishAttempt(db, row, { sent_at: now, next_attempt_at: null });
    expect(await read(row)).toMatchObject({ sent_at: now, next_attempt_at: null });
    expect(await read(other)).toEqual(other);
  });

  it("does not record an attempt once another process has claimed the mail", async () => {
    const { id } = await mail();
    const lost = (await queries.claimDue(db, lease, []))!;
    const taken = (await queries.claimDue(db, { now: after(301), leaseEnd: after(601) }, []))!;
    expect([lost.id, taken.id]).toEqual([id, id]);
    await queries.finishAttempt(db, lost, { sent_at: now, next_attempt_at: null });
    expect(await read(taken)).toEqual(taken);
  });
});

describe("a mail that replaces earlier ones", () => {
  it("drops the mails of its key that wait or were given up, and ends their attempts", async () => {
    const waits = await waiting(after(300), { replace_key: "code:1" });
    const failed = await givenUp({ replace_key: "code:1" });
    await queries.dropWaiting(db, "code:1", "Replaced.");
    const dropped = { sealed_body: null, next_attempt_at: null, failed_at: null, last_error: "Replaced.", attempts: 2 };
    expect([await read(waits), await read(failed)]).toMatchObject([dropped, dropped]);
  });

  it("leaves mails of other keys and those that were sent", async () => {
    const kept = [
      await waiting(after(300), { replace_key: "code:2" }),
      await waiting(after(300)),
      await mail({ replace_key: "code:1", next_attempt_at: null, sent_at: now }),
    ];
    await queries.dropWaiting(db, "code:1", "Replaced.");
    expect(await Promise.all(kept.map(read))).toEqual(kept);
  });
});

describe("mails that are withdrawn", () => {
  it("withdraws a key whose mails were never tried or refused, each of them", async () => {
    const withdraw = () => queries.withdraw(db, "key", "Withdrawn.");
    await mail({ replace_key: "key" });
    await waiting(after(300), { replace_key: "key", attempted_at: now, failure_kind: "server" });
    const other = await mail({ replace_key: "other" });
    expect([await withdraw(), await withdraw()]).toEqual([true, false]);
    await mail({ replace_key: "key" });
    await waiting(after(300), { replace_key: "key", attempted_at: now });
    expect(await withdraw()).toBe(false);
    expect(await read(other)).toEqual(other);
  });

  it("withdraws mails of several keys, and names those of which none can have arrived", async () => {
    const untried = await mail({ replace_key: "untried" });
    const tried = { attempted_at: now, failure_kind: "server" } as const;
    await waiting(after(300), { replace_key: "refused", ...tried });
    await waiting(after(300), { replace_key: "repeated", ...tried, may_repeat: true });
    await waiting(after(300), { replace_key: "on its way", attempted_at: now });
    const sent = await mail({ replace_key: "sent", next_attempt_at: null, sent_at: now });
    await mail({ replace_key: "both" });
    await mail({ replace_key: "both", next_attempt_at: null, sent_at: now });
    const other = await mail({ replace_key: "other" });
    const keys = ["untried", "refused", "repeated", "on its way", "sent", "both", "none"];
    expect(await queries.withdrawAll(db, keys, "Changed.")).toEqual(new Set(["untried", "refused"]));
    expect(await read(untried)).toMatchObject({ sealed_body: null, next_attempt_at: null, last_error: "Changed." });
    expect([await read(sent), await read(other)]).toEqual([sent, other]);
    expect(await queries.withdrawAll(db, [], "Changed.")).toEqual(new Set());
  });
});

describe("a mail server that is back", () => {
  const nextAttempts = async (...rows: queries.OutboxRow[]) =>
    Promise.all(rows.map(async (row) => (await read(row))?.next_attempt_at));

  it("makes mails that wait after a failure due at once", async () => {
    const rows = [
      await waiting(after(3600), { failure_kind: "server", attempts: 50 }),
      await waiting(after(3600), { failure_kind: "mail", attempts: 10 }),
      await waiting(after(1), { failure_kind: "stalled" }),
    ];
    await queries.bringForward(db, now);
    expect(await nextAttempts(...rows)).toEqual([now, now, now]);
  });

  // MAIL-10
  it("brings reminders before news that has waited for days", async () => {
    const news = await waiting(after(-3600), { failure_kind: "server", is_optional: true });
    const reminder = await waiting(after(300), { failure_kind: "server", is_optional: true, expires_at: after(3600) });
    await queries.bringForward(db, now);
    const claimed = [await queries.claimDue(db, lease, []), await queries.claimDue(db, lease, [])];
    expect(claimed.map((row) => row?.id)).toEqual([reminder.id, news.id]);
  });

  it("brings forward no mail on its way, due already or refused ten times", async () => {
    const rows = [
      await waiting(after(300)),
      await waiting(after(-60), { failure_kind: "server" }),
      await waiting(after(3600), { failure_kind: "mail", attempts: 11 }),
      await givenUp({ failure_kind: "mail" }),
    ];
    await queries.bringForward(db, now);
    expect(await nextAttempts(...rows)).toEqual(rows.map((row) => row.next_attempt_at));
  });

  it("ends only waits that a clock set back has made longer", async () => {
    const long = await waiting(after(7200), { attempted_at: after(3600) });
    const kept = [
      await waiting(after(7200), { attempted_at: now }),
      await waiting(after(60), { attempted_at: after(3600) }),
      await mail({ next_attempt_at: after(7200) }),
    ];
    await queries.endFutureWaits(db, lease);
    expect(await nextAttempts(long, ...kept)).toEqual([after(300), ...kept.map((row) => row.next_attempt_at)]);
  });
});

describe("old mails", () => {
  it("deletes old mails that need no other attempt, in batches", async () => {
    const waits = await waiting(after(60), { created_at: after(-100) });
    const fresh = await givenUp({ created_at: after(-1) });
    for (let count = 0; count < 3; count += 1) await givenUp({ created_at: after(-100) });
    expect([await queries.deleteDone(db, after(-50), 2), await queries.deleteDone(db, after(-50), 2)]).toEqual([2, 1]);
    expect([await read(waits), await read(fresh)]).toEqual([waits, fresh]);
  });

  it("skips old mails that another process has locked", async () => {
    await givenUp({ created_at: after(-100) });
    await transaction(db, async (tx) => {
      expect(await queries.deleteDone(tx, now, 10)).toBe(1);
      expect(await queries.deleteDone(db, now, 10)).toBe(0);
    });
  });
});

describe("the mailbox", () => {
  it("lists mails that still have their text, newest first, by recipient or all", async () => {
    const [first, other, second] = [await mail(), await mail({ recipient: "b@example.com" }), await mail()];
    await mail({ sealed_body: null });
    const idsOf = async (filter: queries.ReadableFilter, limit = 10) =>
      (await queries.findAllReadable(db, filter, limit)).map(({ id }) => id);
    expect(await idsOf({})).toEqual([second.id, other.id, first.id]);
    expect(await idsOf({ recipient: "a@example.com" })).toEqual([second.id, first.id]);
    expect(await idsOf({ id: other.id })).toEqual([other.id]);
    expect(await idsOf({}, 2)).toEqual([second.id, other.id]);
  });
});

describe("mails that failed", () => {
  it("lists failed mails newest first, also when two failed at the same time", async () => {
    const rows = [await givenUp({ failed_at: after(-5) }), await givenUp(), await givenUp()];
    await waiting(after(60), { last_error: "450" });
    const [one, two, three] = rows.toReversed().map(({ id }) => id);
    const page = async (limit: number, id?: number) =>
      (await findAllGivenUp(db, { after: id === undefined ? undefined : { failedAt: now.toISOString(), id }, limit })).map(
        (row) => row.id,
      );
    expect([await page(10), await page(2), await page(10, two), await page(10, one)]).toEqual([
      [one, two, three],
      [one, two],
      [three],
      [two, three],
    ]);
  });

  it("counts failed mails that will be tried again, with the newest reason", async () => {
    await mail();
    await givenUp({ last_error: "550" });
    expect(await findWaiting(db)).toEqual({ count: 0, oldest_at: null, reason: null });
    await waiting(after(60), { created_at: after(-9), attempted_at: after(-2), last_error: "older" });
    await waiting(after(60), { created_at: after(-5), attempted_at: after(-1), last_error: "newer" });
    expect(await findWaiting(db)).toEqual({ count: 2, oldest_at: after(-9), reason: "newer" });
    expect(await countFailures(db)).toEqual({ waiting: 2, givenUp: 1 });
  });

  it("locks only given-up mails, which are due again once requeued", async () => {
    const [failed, waits] = [await givenUp({ failure_kind: "mail", attempts: 7 }), await waiting(after(60))];
    await transaction(db, async (tx) => {
      expect(await lockGivenUp(tx, waits.id)).toBeUndefined();
      expect(await lockGivenUp(tx, failed.id)).toEqual(failed);
      await requeue(tx, failed.id, { now, dueAt: after(1) });
    });
    const queued = {
      requeued_at: now,
      attempts: 0,
      next_attempt_at: after(1),
      failed_at: null,
      failure_kind: null,
      last_error: null,
    };
    expect(await read(failed)).toEqual({ ...failed, ...queued });
    expect(await read(waits)).toEqual(waits);
  });

  it("allows sending again while a mail's text exists and has not expired", async () => {
    const row = await givenUp();
    expect(canSendAgain(row, now)).toBe(true);
    expect(canSendAgain({ ...row, expires_at: after(1) }, now)).toBe(true);
    expect(canSendAgain({ ...row, expires_at: now }, now)).toBe(false);
    expect(canSendAgain({ ...row, sealed_body: null }, now)).toBe(false);
  });
});

describe("the wait after a failed attempt", () => {
  it("triples the wait from 5 s to an hour, or to 30 s for a mail that expires", () => {
    const waits = (isUrgent: boolean) => [1, 2, 3, 4, 7, 8, 50].map((attempt) => retryDelaySeconds(attempt, isUrgent));
    expect(waits(false)).toEqual([5, 15, 45, 135, 3600, 3600, 3600]);
    expect(waits(true)).toEqual([5, 15, 30, 30, 30, 30, 30]);
  });

  it("leaves a mail to another process in five minutes, gives up in two days", () => {
    expect([leaseSeconds, giveUpAfterSeconds]).toEqual([300, 172_800]);
    expect(deliveryDeadlineMs).toBeLessThan(leaseSeconds * 1000);
  });
});

it("withdraws by what is unsent, whatever was sent or dropped before", async () => {
  const replace_key = "a decision";
  await mail({ replace_key, attempts: 1, next_attempt_at: null, sent_at: now });
  await mail({ replace_key, attempts: 1, next_attempt_at: null, failed_at: now, sealed_body: null });
  expect(await queries.withdraw(db, replace_key, "It was undone.")).toBe(false);
  const waits = await mail({ replace_key });
  expect(await queries.withdraw(db, replace_key, "It was undone.")).toBe(true);
  expect(await read(waits)).toMatchObject({ next_attempt_at: null, last_error: "It was undone." });
});
