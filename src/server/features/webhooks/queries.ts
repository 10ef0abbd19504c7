import { and, asc, eq, gt, isNotNull, isNull, lt, lte, notExists, notInArray, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { webhookEvents } from "../../platform/db/schema.ts";
import { deleteRows } from "../../platform/retention/delete-rows.ts";

export type EventRow = typeof webhookEvents.$inferSelect;

export async function insert(tx: Transaction, row: typeof webhookEvents.$inferInsert): Promise<void> {
  await tx.insert(webhookEvents).values(row);
}

/**
 * Claims the longest-due event for one attempt, skipping what others hold and `busy`, the ids of what this process is sending; it is due
 * again only at `leaseEnd`. An event that was never tried is always due, unless an earlier one of its request still waits (WEBHOOK-3).
 */
export async function claimDue(
  connection: Connection,
  at: { now: Date; leaseEnd: Date },
  busy: string[],
): Promise<EventRow | undefined> {
  const earlier = alias(webhookEvents, "earlier");
  // Stryker disable next-line ObjectLiteral: what is selected does not matter to "exists".
  const some = connection.select({ place: earlier.place }).from(earlier);
  const waitsBefore = some.where(
    and(
      eq(earlier.payment_request_id, webhookEvents.payment_request_id),
      lt(earlier.place, webhookEvents.place),
      isNotNull(earlier.next_attempt_at),
    ),
  );
  const due = connection
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(
      and(
        isNotNull(webhookEvents.next_attempt_at),
        or(eq(webhookEvents.attempts, 0), lte(webhookEvents.next_attempt_at, at.now)),
        notInArray(webhookEvents.id, busy),
        notExists(waitsBefore),
      ),
    )
    .orderBy(asc(webhookEvents.next_attempt_at), asc(webhookEvents.place))
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await connection
    .update(webhookEvents)
    .set({ attempts: sql`${webhookEvents.attempts} + 1`, attempted_at: at.now, next_attempt_at: at.leaseEnd })
    .where(eq(webhookEvents.id, sql`(${due})`))
    .returning();
  return row;
}

/** Ends the waits of events that were last tried in the future. */
export async function endFutureWaits(connection: Connection, at: { now: Date; leaseEnd: Date }): Promise<void> {
  await connection
    .update(webhookEvents)
    .set({ next_attempt_at: at.leaseEnd })
    .where(and(gt(webhookEvents.attempted_at, at.now), gt(webhookEvents.next_attempt_at, at.leaseEnd)));
}

/** Records how an attempt ended, unless its lease had run out and another process took over. */
export async function finishAttempt(
  connection: Connection,
  { id, attempts }: EventRow,
  outcome: Partial<Pick<EventRow, "attempts" | "next_attempt_at" | "delivered_at" | "given_up_at" | "last_error">>,
): Promise<void> {
  await connection
    .update(webhookEvents)
    .set(outcome)
    .where(and(eq(webhookEvents.id, id), eq(webhookEvents.attempts, attempts)));
}

/** Returns how many events failed and will be tried again, and how many were given up. */
export async function countWebhookFailures(connection: Connection): Promise<{ waiting: number; givenUp: number }> {
  const isFailing = and(isNotNull(webhookEvents.last_error), isNull(webhookEvents.delivered_at));
  const { rows } = await connection.execute<{ waiting: string; given_up: string }>(
    sql`select count(*) filter (where ${isNull(webhookEvents.given_up_at)}) as waiting, count(${webhookEvents.given_up_at}) as given_up
      from ${webhookEvents} where ${isFailing}`,
  );
  return { waiting: Number(rows[0]!.waiting), givenUp: Number(rows[0]!.given_up) };
}

export function deleteCreatedBefore(connection: Connection, createdBefore: Date, limit: number): Promise<number> {
  return deleteRows(connection, webhookEvents, lt(webhookEvents.created_at, createdBefore), limit);
}
