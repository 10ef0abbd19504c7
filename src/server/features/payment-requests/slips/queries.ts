import { and, eq, lte, sql } from "drizzle-orm";
import type { SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { slipCodes, transferSlips } from "../../../platform/db/schema.ts";
import { transaction } from "../../../platform/db/transaction.ts";

export type SlipRow = typeof transferSlips.$inferSelect;

/** A code on a picture, with the form of its reference by which it is compared. */
export type CodeRow = SlipCode & { reference_form: string };

/** Inserts a slip that is to be read, unless another request has brought its picture before. */
export async function insertSlip(tx: Transaction, objectId: string, due: Date): Promise<void> {
  await tx.insert(transferSlips).values({ object_id: objectId, next_attempt_at: due }).onConflictDoNothing();
}

/** Claims the newest slip that is due, skipping what others claim at the same time. It is due again only at `leaseEnd`. */
export async function claimSlip(
  connection: Connection,
  { now, leaseEnd }: { now: Date; leaseEnd: Date },
): Promise<SlipRow | undefined> {
  const due = connection
    .select({ id: transferSlips.object_id })
    .from(transferSlips)
    .where(lte(transferSlips.next_attempt_at, now))
    // The newest first: those of earlier years, after an update, keep nobody waiting.
    .orderBy(sql`${transferSlips.next_attempt_at} desc`)
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await connection
    .update(transferSlips)
    .set({ attempts: sql`${transferSlips.attempts} + 1`, next_attempt_at: leaseEnd })
    .where(eq(transferSlips.object_id, sql`(${due})`))
    .returning();
  return row;
}

/**
 * Changes a slip that this attempt still has, and stores `further` codes on its picture; does nothing when another process has taken it, or it
 * is gone. A trigger stores the slip's own code with them.
 */
export async function updateSlip(
  connection: Connection,
  { object_id, attempts }: Pick<SlipRow, "object_id" | "attempts">,
  changes: Partial<Omit<SlipRow, "object_id" | "attempts">>,
  further: readonly CodeRow[] = [],
): Promise<void> {
  await transaction(connection, async (tx) => {
    const updated = await tx
      .update(transferSlips)
      .set(changes)
      .where(and(eq(transferSlips.object_id, object_id), eq(transferSlips.attempts, attempts)))
      .returning({ object_id: transferSlips.object_id });
    const codes = updated.flatMap((row) => further.map((code) => ({ ...row, ...code })));
    if (codes.length > 0) await tx.insert(slipCodes).values(codes);
  });
}
