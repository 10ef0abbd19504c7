import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { scratchDatabase, type ScratchDatabase } from "../../../../tests/support/database/scratch-database.ts";
import { secondsAfter } from "../clock.ts";
import { openDatabase, type Database } from "../db/database.ts";
import { mailOutbox } from "../db/schema.ts";
import { transaction } from "../db/transaction.ts";
import * as queries from "./queries.ts";
import { redirect } from "./redirect.ts";
import { openBody, sealBody } from "./seal.ts";

let scratch: ScratchDatabase;
let db: Database;
beforeAll(async () => {
  scratch = await scratchDatabase("migrated");
  db = openDatabase({ ...scratch.connection, max: 2 }, () => {});
});
afterAll(async () => {
  await db?.$client.end();
  await scratch?.drop();
});
beforeEach(() => scratch.client.query("truncate mail_outbox restart identity"));

const now = new Date("2026-11-22T12:00:00Z");
const after = (seconds: number): Date => secondsAfter(now, seconds);
const mailKey = Buffer.alloc(32, 7);
const move = { accountId: randomUUID(), from: "old@example.com", to: "new@example.com" };
const body = { text: "Approved.", html: "<p>Approved.</p>", accountId: move.accountId };

/** Writes a mail of the account to its old address, due now. */
async function mail(given: Partial<queries.OutboxRow> = {}): Promise<queries.OutboxRow> {
  const due = { recipient: move.from, subject: "Hello", created_at: now, next_attempt_at: now };
  const sealed_body = sealBody(mailKey, given.recipient ?? move.from, body);
  const [row] = await db
    .insert(mailOutbox)
    .values({ ...due, sealed_body, ...given })
    .returning();
  return row!;
}

async function read({ id }: queries.OutboxRow): Promise<queries.OutboxRow> {
  const [row] = await db.select().from(mailOutbox).where(eq(mailOutbox.id, id));
  return row!;
}

const parts = { secrets: { mailKey }, clock: { steady: () => now } } as Parameters<typeof redirect>[0];
const redirected = () => transaction(db, (tx) => redirect(parts, tx, move));

// OWN-3
describe("an account's change of address", () => {
  it("seals a waiting mail for the new address, due at once after a failure", async () => {
    const fresh = await mail({ next_attempt_at: after(-9) });
    const failed = await mail({ attempts: 3, failure_kind: "mail", last_error: "452", next_attempt_at: after(600) });
    const unreached = await mail({ attempts: 3, failure_kind: "server", last_error: "down", next_attempt_at: after(-60) });
    const givenUp = await mail({ attempts: 1, failure_kind: "mail", failed_at: now, last_error: "550", next_attempt_at: null });
    await redirected();
    const rows = await Promise.all([fresh, failed, unreached, givenUp].map(read));
    for (const { recipient, sealed_body } of rows) {
      expect(recipient).toBe(move.to);
      expect(openBody(mailKey, move.to, sealed_body!)).toEqual(body);
    }
    expect(rows.map(({ next_attempt_at }) => next_attempt_at)).toEqual([after(-9), now, after(-60), null]);
  });

  const otherwise: [string, Partial<queries.OutboxRow>][] = [
    ["was sent, its text kept without a mail server", { sent_at: now, next_attempt_at: null }],
    ["was dropped", { sealed_body: null, next_attempt_at: null }],
    ["goes to another address", { recipient: "admin@example.com" }],
    ["is a notice to the old address", { sealed_body: sealBody(mailKey, move.from, { text: "Notice.", html: "" }) }],
    // MAIL-1: whoever writes to the table gets no mail sealed for an address of their own.
    ["is of another account", { sealed_body: sealBody(mailKey, move.from, { ...body, accountId: randomUUID() }) }],
    ["was sealed by other secrets", { sealed_body: sealBody(Buffer.alloc(32, 8), move.from, body) }],
    ["was written for another address", { sealed_body: sealBody(mailKey, "victim@example.com", body) }],
  ];
  it.each(otherwise)("leaves a mail that %s", async (_what, given) => {
    const row = await mail(given);
    await redirected();
    expect(await read(row)).toEqual(row);
  });
});

describe("a mail on its way while the address changes", () => {
  const sent = { sent_at: after(2), sealed_body: null, next_attempt_at: null };
  const refused = { last_error: "550", failure_kind: "mail", failed_at: after(2), next_attempt_at: null } as const;
  const lease = { now, leaseEnd: after(300) };

  it("arrives once where the old address took it", async () => {
    await mail();
    const claimed = (await queries.claimDue(db, lease, []))!;
    await redirected();
    await queries.finishAttempt(db, claimed, sent);
    expect(await read(claimed)).toMatchObject(sent);
    expect(await queries.claimDue(db, { now: after(301), leaseEnd: after(601) }, [])).toBeUndefined();
  });

  it("is tried at the new address at once where the old one refused it", async () => {
    await mail();
    const claimed = (await queries.claimDue(db, lease, []))!;
    await redirected();
    expect(await queries.claimDue(db, { now: after(1), leaseEnd: after(301) }, [])).toBeUndefined();
    expect(await queries.finishFailed(db, claimed, refused, after(2))).toBe(false);
    expect(await read(claimed)).toMatchObject({ last_error: "550", failed_at: null, next_attempt_at: after(2) });
    expect(await queries.claimDue(db, { now: after(2), leaseEnd: after(302) }, [])).toMatchObject({ recipient: move.to });
  });

  it("keeps its place before later mails where the old one was not reached", async () => {
    await mail();
    const claimed = (await queries.claimDue(db, lease, []))!;
    await redirected();
    const unreached = { ...refused, failed_at: null, next_attempt_at: after(-60) };
    expect(await queries.finishFailed(db, claimed, unreached, after(2))).toBe(false);
    expect(await read(claimed)).toMatchObject({ next_attempt_at: after(-60) });
  });

  it("stays with the process that took it over", async () => {
    await mail();
    const claimed = (await queries.claimDue(db, lease, []))!;
    await redirected();
    const taken = (await queries.claimDue(db, { now: after(301), leaseEnd: after(601) }, []))!;
    expect(await queries.finishFailed(db, claimed, refused, after(302))).toBe(false);
    expect(await read(claimed)).toEqual(taken);
  });
});
