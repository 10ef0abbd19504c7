import { and, asc, eq, inArray, type SQL } from "drizzle-orm";
import type { SubscriptionStatus } from "#domain/packages";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { cancelledReceipts, paymentDecisions, paymentRequests } from "../../../platform/db/schema.ts";
import type { PaymentRequestRow } from "../queries.ts";

export type DecisionRow = typeof paymentDecisions.$inferSelect;
export type CancelledReceiptRow = typeof cancelledReceipts.$inferSelect;

/** The tier before an approval, and the number of its change before and by it. */
export interface ApprovedTier {
  tier_before: SubscriptionStatus;
  tier_change_before: number;
  tier_change: number;
}

export function isApproval(decision: DecisionRow): decision is DecisionRow & ApprovedTier {
  // Stryker disable next-line ConditionTrue: a rejection has no change of the tier that another decision could follow.
  return decision.tier_before !== null;
}

const noTier = { tier_before: null, tier_change_before: null, tier_change: null };

/** Stores what the decision of a request replaces, also where another program has undone the one before; `pending` is the request before it. */
export async function upsertDecision(tx: Transaction, pending: PaymentRequestRow, approved?: ApprovedTier): Promise<void> {
  const { id: request_id, amount_received, rest_asked_at } = pending;
  const values = { request_id, amount_received, rest_asked_at, ...(approved ?? noTier) };
  await tx.insert(paymentDecisions).values(values).onConflictDoUpdate({ target: paymentDecisions.request_id, set: values });
}

/** Deletes and returns what the decision of a request replaced; undefined where it was decided by another program. */
export async function deleteDecision(tx: Transaction, requestId: string): Promise<DecisionRow | undefined> {
  const [row] = await tx.delete(paymentDecisions).where(eq(paymentDecisions.request_id, requestId)).returning();
  return row;
}

/** Gives a later approval, whose tier before was set by the undone one, the tier before that (REOPEN-2). */
export async function replaceTierBefore(tx: Transaction, userId: string, undone: ApprovedTier): Promise<void> {
  await tx
    .update(paymentDecisions)
    .set({ tier_before: undone.tier_before, tier_change_before: undone.tier_change_before })
    .where(and(eq(paymentDecisions.tier_change_before, undone.tier_change), isOfStudent(tx, userId)));
}

/** Makes the present tier, which is back to what an earlier approval had set, that approval's own again (REOPEN-2). */
export async function replaceTierChange(tx: Transaction, userId: string, undone: ApprovedTier, present: number): Promise<void> {
  await tx
    .update(paymentDecisions)
    .set({ tier_change: present })
    .where(and(eq(paymentDecisions.tier_change, undone.tier_change_before), isOfStudent(tx, userId)));
}

function isOfStudent(tx: Transaction, userId: string): SQL {
  const ids = tx.select({ id: paymentRequests.id }).from(paymentRequests).where(eq(paymentRequests.user_id, userId));
  return inArray(paymentDecisions.request_id, ids);
}

/** Makes a decided request pending again, as it was before the decision, and returns it. Throws on a unique index. */
export async function updateToPending(
  tx: Transaction,
  id: string,
  { amount_received = null, rest_asked_at = null }: Partial<DecisionRow>,
): Promise<PaymentRequestRow> {
  const [row] = await tx
    .update(paymentRequests)
    .set({
      status: "pending",
      decided_at: null,
      decided_by: null,
      rejection_reason: null,
      receipt_number: null,
      approval_seen_at: null,
      amount_received,
      rest_asked_at,
    })
    .where(eq(paymentRequests.id, id))
    .returning();
  return row!;
}

export async function insertCancelledReceipt(tx: Transaction, receipt: CancelledReceiptRow): Promise<void> {
  await tx.insert(cancelledReceipts).values(receipt);
}

/** Returns the cancelled receipts of a request, oldest first. */
export function findAllCancelledReceipts(connection: Connection, requestId: string): Promise<CancelledReceiptRow[]> {
  return connection
    .select()
    .from(cancelledReceipts)
    .where(eq(cancelledReceipts.request_id, requestId))
    .orderBy(asc(cancelledReceipts.cancelled_at), asc(cancelledReceipts.receipt_number));
}
