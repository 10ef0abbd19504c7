import { and, asc, desc, eq, isNotNull, lte, sql } from "drizzle-orm";
import type { Connection } from "../db/database.ts";
import { mailOutbox } from "../db/schema.ts";

export type OutboxRow = typeof mailOutbox.$inferSelect;

export async function insert(connection: Connection, row: typeof mailOutbox.$inferInsert): Promise<void> {
  await connection.insert(mailOutbox).values(row);
}

/** Takes the longest-due mail for one attempt, passing over what others hold; it is due again only at `leaseEnd`. */
export async function claimDue(connection: Connection, now: Date, leaseEnd: Date): Promise<OutboxRow | undefined> {
  const due = connection
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(lte(mailOutbox.next_attempt_at, now))
    .orderBy(asc(mailOutbox.next_attempt_at), asc(mailOutbox.id))
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await connection
    .update(mailOutbox)
    .set({ attempts: sql`${mailOutbox.attempts} + 1`, next_attempt_at: leaseEnd })
    .where(eq(mailOutbox.id, sql`(${due})`))
    .returning();
  return row;
}

/** Records how an attempt ended, unless its lease had run out and another process took over. */
export async function finishAttempt(
  connection: Connection,
  row: OutboxRow,
  outcome: Partial<Pick<OutboxRow, "sent_at" | "sealed_body" | "next_attempt_at" | "last_error">>,
): Promise<void> {
  await connection
    .update(mailOutbox)
    .set(outcome)
    .where(and(eq(mailOutbox.id, row.id), eq(mailOutbox.attempts, row.attempts)));
}

/** Mails whose text is still there, newest first, of one recipient or of all. */
export function listReadable(connection: Connection, recipient: string | undefined, limit: number): Promise<OutboxRow[]> {
  return connection
    .select()
    .from(mailOutbox)
    .where(and(isNotNull(mailOutbox.sealed_body), recipient === undefined ? undefined : eq(mailOutbox.recipient, recipient)))
    .orderBy(desc(mailOutbox.id))
    .limit(limit);
}
