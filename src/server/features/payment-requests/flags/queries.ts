import { and, asc, eq, gt, inArray, lte, ne, or, sql } from "drizzle-orm";
import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { lockKeys, tryLock } from "../../../platform/db/locks.ts";
import { flagChecks, flagSweep, paymentRequests, profiles } from "../../../platform/db/schema.ts";
import { reviewedColumns, type ReviewedRow } from "../queries.ts";

export type FlagCheck = typeof flagChecks.$inferSelect;

/** Returns whether this process alone checks flags, until the transaction ends. */
export function tryLockFlags(tx: Transaction): Promise<boolean> {
  return tryLock(tx, lockKeys.flags);
}

/** Queues a check of every pending request where a sweep is due; the next one is due at `next`. Returns whether it was. */
export async function queueSweep(tx: Transaction, now: Date, next: Date): Promise<boolean> {
  // A sweep that is due later than the one after this was stored by a clock that was wrong.
  const isDue = or(lte(flagSweep.due_at, now), gt(flagSweep.due_at, secondsAfter(next, clockToleranceSeconds)));
  const due = await tx.update(flagSweep).set({ due_at: next }).where(isDue).returning();
  if (due.length === 0) return false;
  await tx.execute(sql`
    insert into ${flagChecks} (request_id, with_related)
    select id, false from ${paymentRequests} where status = 'pending'`);
  return true;
}

/** Returns the checks that wait the longest. */
export function findAllChecks(tx: Transaction, limit: number): Promise<FlagCheck[]> {
  return tx.select().from(flagChecks).orderBy(asc(flagChecks.id)).limit(limit);
}

export async function deleteChecks(tx: Transaction, checks: readonly FlagCheck[]): Promise<void> {
  const ids = checks.map(({ id }) => id);
  await tx.delete(flagChecks).where(inArray(flagChecks.id, ids));
}

/** Returns those of the requests that are pending, with their payers' tiers. */
export async function findAllPending(tx: Transaction, ids: string[]): Promise<ReviewedRow[]> {
  return tx
    .select(reviewedColumns)
    .from(paymentRequests)
    .leftJoin(profiles, eq(profiles.id, paymentRequests.user_id))
    .where(and(inArray(paymentRequests.id, ids), eq(paymentRequests.status, "pending")));
}

/**
 * Queues a check of the other pending requests that share a reference, a slip's code, a transaction or a picture with one of these: their
 * evidence names each other. Each way is a look-up by index.
 */
export async function queueRelated(tx: Transaction, requestIds: string[]): Promise<void> {
  if (requestIds.length === 0) return;
  await tx.execute(sql`
    with proofs as not materialized (
      select id as request_id, screenshot_object_id as object_id, reference from payment_requests
      union all
      select payment_request_id, screenshot_object_id, reference from payment_request_parts
    ), own as (
      select proofs.*, slips.reference_form from proofs left join slip_codes as slips using (object_id)
      where request_id = any(${sql.param(requestIds)}::uuid[])
    ), related as (
      select other.request_id from own join proofs as other on other.reference = own.reference
      union
      select other.request_id from own join proofs as other on other.reference = own.reference_form
      union
      select other.request_id from own join slip_codes as slips on slips.reference_form = own.reference_form
        join proofs as other on other.object_id = slips.object_id
      union
      select other.request_id from own join slip_codes as slips on slips.reference_form = own.reference
        join proofs as other on other.object_id = slips.object_id
      union
      select other.request_id from own join duplicate_screenshots as same on same.object_id = own.object_id
        join proofs as other on other.object_id = same.other_object_id
      union
      select other.request_id from own join chain_payments as paid using (request_id)
        join chain_payments as other on other.transaction_id = paid.transaction_id
    )
    insert into flag_checks (request_id, with_related)
    select id, false from related join payment_requests on id = request_id
    where status = 'pending' and id <> all(${sql.param(requestIds)}::uuid[])`);
}

/** Stores whether a pending request is flagged. Does nothing where it is known, or the request was decided meanwhile. */
export async function updateFlag(connection: Connection, id: string, flagged: boolean): Promise<void> {
  await connection
    .update(paymentRequests)
    .set({ flagged })
    .where(and(eq(paymentRequests.id, id), eq(paymentRequests.status, "pending"), ne(paymentRequests.flagged, flagged)));
}
