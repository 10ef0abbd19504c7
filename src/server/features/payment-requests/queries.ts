import { and, desc, eq, gte, ilike, or, sql, type SQL } from "drizzle-orm";
import type { PackageType, SubscriptionStatus } from "#domain/packages";
import type { Decision, PaymentStatus } from "#domain/payment-request";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { paymentRequests, profiles, receiptCounters, storedObjects } from "../../platform/db/schema.ts";

export type PaymentRequestRow = typeof paymentRequests.$inferSelect;
export type ReviewedRow = PaymentRequestRow & { payer_tier: SubscriptionStatus | null };

export async function insert(tx: Transaction, request: typeof paymentRequests.$inferInsert): Promise<PaymentRequestRow> {
  const [row] = await tx.insert(paymentRequests).values(request).returning();
  return row!;
}

export async function findByKey(connection: Connection, userId: string, key: string): Promise<PaymentRequestRow | undefined> {
  const [row] = await connection
    .select()
    .from(paymentRequests)
    .where(and(eq(paymentRequests.user_id, userId), eq(paymentRequests.idempotency_key, key)));
  return row;
}

export async function findById(connection: Connection, id: string): Promise<PaymentRequestRow | undefined> {
  const [row] = await connection.select().from(paymentRequests).where(eq(paymentRequests.id, id));
  return row;
}

export async function lockById(tx: Transaction, id: string): Promise<PaymentRequestRow | undefined> {
  const [row] = await tx.select().from(paymentRequests).where(eq(paymentRequests.id, id)).for("update");
  return row;
}

/** The tier of a payer, held until the transaction ends; undefined once the account is deleted. */
export async function lockTier(tx: Transaction, userId: string): Promise<SubscriptionStatus | undefined> {
  const [row] = await tx
    .select({ tier: profiles.subscription_status })
    .from(profiles)
    .where(eq(profiles.id, userId))
    .for("update");
  return row?.tier;
}

export async function setTier(tx: Transaction, userId: string, tier: PackageType): Promise<void> {
  await tx.update(profiles).set({ subscription_status: tier }).where(eq(profiles.id, userId));
}

export interface DecisionColumns {
  status: Decision;
  decided_at: Date;
  decided_by: string;
  rejection_reason: string | null;
  receipt_number: string | null;
}

/** The next receipt's place in its year, held until the transaction ends, so that none is skipped. */
export async function takeReceiptPlace(tx: Transaction, year: number): Promise<number> {
  const [row] = await tx
    .insert(receiptCounters)
    .values({ year, last: 1 })
    .onConflictDoUpdate({ target: receiptCounters.year, set: { last: sql`${receiptCounters.last} + 1` } })
    .returning({ last: receiptCounters.last });
  return row!.last;
}

export async function decide(tx: Transaction, id: string, decision: DecisionColumns): Promise<PaymentRequestRow> {
  const [row] = await tx.update(paymentRequests).set(decision).where(eq(paymentRequests.id, id)).returning();
  return row!;
}

/** Whether a request of somebody else, also a rejected one, has this reference. */
export async function isReferenceOfAnother(connection: Connection, reference: string, userId: string): Promise<boolean> {
  const rows = await connection
    .select({ id: paymentRequests.id })
    .from(paymentRequests)
    .where(and(eq(paymentRequests.reference, reference), sql`${paymentRequests.user_id} is distinct from ${userId}`))
    .limit(1);
  return rows.length > 0;
}

/** How many seconds the newest approvals took: how many there are, and their median. */
export async function approvalSeconds(
  connection: Connection,
  since: Date,
  newest: number,
): Promise<{ count: number; median: number | null }> {
  const sample = connection
    .select({
      seconds: sql<number>`extract(epoch from ${paymentRequests.decided_at} - ${paymentRequests.created_at})`.as("seconds"),
    })
    .from(paymentRequests)
    .where(and(eq(paymentRequests.status, "approved"), gte(paymentRequests.created_at, since)))
    .orderBy(desc(paymentRequests.created_at))
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

/** The finished screenshot upload of this student, by its id. */
export async function findOwnScreenshot(
  connection: Connection,
  objectId: string,
  ownerId: string,
): Promise<{ id: string; name: string } | undefined> {
  const [row] = await connection
    .select({ id: storedObjects.id, name: storedObjects.name })
    .from(storedObjects)
    .where(
      and(eq(storedObjects.id, objectId), eq(storedObjects.bucket, "payment-screenshots"), eq(storedObjects.owner_id, ownerId)),
    );
  return row;
}

export interface ReviewFilter {
  status?: PaymentStatus | undefined;
  search?: string | undefined;
}

/** Newest first with the payer's present tier, after the request that the cursor names. */
export async function listForReview(
  connection: Connection,
  filter: ReviewFilter,
  afterId: string | undefined,
  limit: number,
): Promise<ReviewedRow[]> {
  const rows = await connection
    .select({ request: paymentRequests, payer_tier: profiles.subscription_status })
    .from(paymentRequests)
    .leftJoin(profiles, eq(profiles.id, paymentRequests.user_id))
    .where(
      and(
        filter.status === undefined ? undefined : eq(paymentRequests.status, filter.status),
        filter.search === undefined ? undefined : matches(filter.search),
        after(afterId),
      ),
    )
    .orderBy(desc(paymentRequests.created_at), desc(paymentRequests.id))
    .limit(limit);
  return rows.map(({ request, payer_tier }) => ({ ...request, payer_tier }));
}

export function listOwn(
  connection: Connection,
  userId: string,
  afterId: string | undefined,
  limit: number,
): Promise<PaymentRequestRow[]> {
  return connection
    .select()
    .from(paymentRequests)
    .where(and(eq(paymentRequests.user_id, userId), after(afterId)))
    .orderBy(desc(paymentRequests.created_at), desc(paymentRequests.id))
    .limit(limit);
}

/** Compared with the row itself, so that no precision of the time is lost on its way through a cursor. */
function after(id: string | undefined): SQL | undefined {
  return id === undefined
    ? undefined
    : sql`(${paymentRequests.created_at}, ${paymentRequests.id}) < (select created_at, id from payment_requests where id = ${id})`;
}

function matches(search: string): SQL | undefined {
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return or(
    ilike(paymentRequests.payer_email, pattern),
    ilike(paymentRequests.payer_full_name, pattern),
    ilike(paymentRequests.reference, pattern),
  );
}
