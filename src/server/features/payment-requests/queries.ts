import { and, desc, eq, getTableColumns, gte, isNull, sql, type SQL } from "drizzle-orm";
import type { SubscriptionStatus } from "#domain/packages";
import type { Decision } from "#domain/payments/payment-request";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { lockKeys } from "../../platform/db/locks.ts";
import { prepared, preparedInsert } from "../../platform/db/prepared.ts";
import { paymentRequests, profiles, receiptCounters } from "../../platform/db/schema.ts";

export type PaymentRequestRow = typeof paymentRequests.$inferSelect;

const { search_text: _search, idempotency_key: _key, consented_at: _at, ...viewedColumns } = getTableColumns(paymentRequests);

/** The columns that replies, mails and exports are made of: without the search text, a third of a row's bytes. */
export { viewedColumns };
export type ViewedRow = Pick<PaymentRequestRow, keyof typeof viewedColumns>;

/** With the payer's present tier. */
export const reviewedColumns = { ...viewedColumns, payer_tier: profiles.subscription_status };
export type ReviewedRow = ViewedRow & { payer_tier: SubscriptionStatus | null };

const requestInsert = preparedInsert(paymentRequests, (rows) => rows.returning().prepare("insert_request"));

/** Returns the stored request. Throws on a unique index or foreign key of `payment_requests`. */
export async function insertRequest(tx: Transaction, request: typeof paymentRequests.$inferInsert): Promise<PaymentRequestRow> {
  const [row] = await requestInsert(tx, [request]);
  return row!;
}

const requestOfKey = prepared((connection) =>
  connection
    .select()
    .from(paymentRequests)
    .where(
      and(eq(paymentRequests.user_id, sql.placeholder("userId")), eq(paymentRequests.idempotency_key, sql.placeholder("key"))),
    )
    .prepare("request_of_key"),
);

/** Returns the request that a student made with an idempotency key. */
export async function findByIdempotencyKey(
  connection: Connection,
  userId: string,
  key: string,
): Promise<PaymentRequestRow | undefined> {
  const [row] = await requestOfKey(connection).execute({ userId, key });
  return row;
}

export async function findById(connection: Connection, id: string): Promise<PaymentRequestRow | undefined> {
  const [row] = await connection.select().from(paymentRequests).where(eq(paymentRequests.id, id));
  return row;
}

/** Returns a request, locked until the transaction ends. */
export async function lockById(tx: Transaction, id: string): Promise<PaymentRequestRow | undefined> {
  const [row] = await tx.select().from(paymentRequests).where(eq(paymentRequests.id, id)).for("update");
  return row;
}

/** Returns whether a rejected request was submitted again. */
export async function existsResubmission(connection: Connection, id: string): Promise<boolean> {
  return (await connection.$count(paymentRequests, eq(paymentRequests.resubmits, id))) > 0;
}

const requestsOfScreenshot = prepared((connection) =>
  connection
    .select({ id: paymentRequests.id })
    .from(paymentRequests)
    .where(eq(paymentRequests.screenshot_object_id, sql.placeholder("objectId")))
    .prepare("requests_of_screenshot"),
);

/** Returns whether a request has this screenshot. */
export async function existsRequestOfScreenshot(connection: Connection, objectId: string): Promise<boolean> {
  const rows = await requestsOfScreenshot(connection).execute({ objectId });
  return rows.length > 0;
}

export interface DecisionColumns {
  status: Decision;
  decided_at: Date;
  decided_by: string;
  rejection_reason: string | null;
  amount_received: string | null;
  note: string | null;
  receipt_number: string | null;
}

/**
 * Returns the next receipt's number within its year. Until the transaction ends it locks the year's counter, so that none is skipped, and
 * all other approvals: two at New Year have counters of their own.
 */
export async function incrementReceiptCounter(tx: Transaction, year: number): Promise<number> {
  const [row] = await tx
    .insert(receiptCounters)
    .values({ year, last: 1 })
    .onConflictDoUpdate({ target: receiptCounters.year, set: { last: sql`${receiptCounters.last} + 1` } })
    // Always after the counter's lock, so that no two wait for each other.
    .returning({ last: receiptCounters.last, turn: sql`pg_advisory_xact_lock(${lockKeys.approval})` });
  return row!.last;
}

/** Stores a decision and returns the decided request. */
export async function updateDecision(tx: Transaction, id: string, decision: DecisionColumns): Promise<PaymentRequestRow> {
  const columns = { ...decision, rest_asked_at: null, approval_seen_at: null };
  const [row] = await tx.update(paymentRequests).set(columns).where(eq(paymentRequests.id, id)).returning();
  return row!;
}

/** What asking for the rest, and paying it, change of a pending request. */
export type RestColumns = Partial<Pick<PaymentRequestRow, "amount_received" | "rest_asked_at" | "rest_destinations" | "note">>;

/** Stores that the rest was asked for, or sent, and returns the request. */
export async function updateRest(tx: Transaction, id: string, columns: RestColumns): Promise<PaymentRequestRow> {
  const [row] = await tx.update(paymentRequests).set(columns).where(eq(paymentRequests.id, id)).returning();
  return row!;
}

/** Returns when the oldest pending request was submitted, or null. */
export async function findOldestPending(connection: Connection): Promise<Date | null> {
  const [row] = await connection
    .select({ created_at: paymentRequests.created_at })
    .from(paymentRequests)
    .where(eq(paymentRequests.status, "pending"))
    .orderBy(paymentRequests.created_at)
    .limit(1);
  return row?.created_at ?? null;
}

/** Stores when the payer of an approved request first saw the approval. Only once: every change of a row reaches all admins' pages. */
export async function markApprovalSeen(connection: Connection, id: string, at: Date): Promise<void> {
  await connection
    .update(paymentRequests)
    .set({ approval_seen_at: at })
    .where(and(eq(paymentRequests.id, id), eq(paymentRequests.status, "approved"), isNull(paymentRequests.approval_seen_at)));
}

/** Returns how many of the `newest` approvals were made since a time, and the median of their durations in seconds. */
export async function findApprovalDurations(
  connection: Connection,
  since: Date,
  newest: number,
): Promise<{ count: number; median: number | null }> {
  const sample = connection
    .select({
      seconds: sql<number>`extract(epoch from ${paymentRequests.decided_at} - ${paymentRequests.created_at})`.as("seconds"),
    })
    .from(paymentRequests)
    .where(and(eq(paymentRequests.status, "approved"), gte(paymentRequests.decided_at, since)))
    .orderBy(desc(paymentRequests.decided_at))
    .limit(newest)
    .as("sample");
  const [row] = await connection
    .select({
      count: sql<number>`count(*)::integer`,
      median: sql<number | null>`percentile_cont(0.5) within group (order by ${sample.seconds})::double precision`,
    })
    .from(sample);
  return row!;
}

/**
 * Returns when the figures of a request were quoted, of a resubmitted one the first request's; undefined once the quote was deleted with its
 * account.
 */
export async function findQuoteTime(connection: Connection, id: string): Promise<Date | undefined> {
  const { rows } = await connection.execute<{ created_at: string }>(sql`
    with recursive line as (
      select quote_id, resubmits from ${paymentRequests} where id = ${id}
      union all
      select first.quote_id, first.resubmits from ${paymentRequests} first join line on first.id = line.resubmits
    )
    select quotes.created_at from line join quotes on quotes.id = line.quote_id`);
  return rows[0] && new Date(rows[0].created_at);
}

/** Returns a request with the payer's present tier. */
export async function findForReview(connection: Connection, id: string): Promise<ReviewedRow | undefined> {
  const [row] = await connection
    .select(reviewedColumns)
    .from(paymentRequests)
    .leftJoin(profiles, eq(profiles.id, paymentRequests.user_id))
    .where(eq(paymentRequests.id, id));
  return row;
}

/** Returns a student's requests, newest first; `beforeId` is the last request of the page before. */
export function findAllByPayer(
  connection: Connection,
  userId: string,
  beforeId: string | undefined,
  limit: number,
): Promise<PaymentRequestRow[]> {
  return connection
    .select()
    .from(paymentRequests)
    .where(and(eq(paymentRequests.user_id, userId), isOlderThan(beforeId)))
    .orderBy(desc(paymentRequests.created_at), desc(paymentRequests.id))
    .limit(limit);
}

/** Compares with the stored row, since a time in the cursor would lose its microseconds. */
function isOlderThan(id: string | undefined): SQL | undefined {
  return id === undefined
    ? undefined
    : sql`(${paymentRequests.created_at}, ${paymentRequests.id}) < (select created_at, id from payment_requests where id = ${id})`;
}
