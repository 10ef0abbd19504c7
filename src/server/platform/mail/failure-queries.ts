import { and, count, desc, eq, getTableColumns, isNotNull, min, or, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../db/database.ts";
import { exactTime } from "../db/exact-time.ts";
import { mailOutbox } from "../db/schema.ts";
import type { OutboxRow } from "./queries.ts";

const isGivenUp = isNotNull(mailOutbox.failed_at);
const isWaiting = and(isNotNull(mailOutbox.next_attempt_at), isNotNull(mailOutbox.last_error));

export type FailedRow = OutboxRow & { failed_at: Date; failed_at_exact: string };

/** Returns given-up mails, newest first; `after` is the sort keys of the last row of the page before. */
export async function findAllGivenUp(
  connection: Connection,
  page: { after: { failedAt: string; id: number } | undefined; limit: number },
): Promise<FailedRow[]> {
  const { after, limit } = page;
  const rows = await connection
    .select({ ...getTableColumns(mailOutbox), failed_at_exact: exactTime(mailOutbox.failed_at) })
    .from(mailOutbox)
    .where(
      and(
        isGivenUp,
        after && sql`(${mailOutbox.failed_at}, ${mailOutbox.id}) < (${after.failedAt}::timestamptz, ${after.id}::bigint)`,
      ),
    )
    .orderBy(desc(mailOutbox.failed_at), desc(mailOutbox.id))
    .limit(limit);
  return rows as FailedRow[];
}

/** Returns how many mails failed and will be tried again, the time of the oldest, and why the newest failed. */
export async function findWaiting(
  connection: Connection,
): Promise<{ count: number; oldest_at: Date | null; reason: string | null }> {
  const [row] = await connection
    .select({
      count: count(),
      oldest_at: min(mailOutbox.created_at),
      reason: sql<string | null>`(array_agg(${mailOutbox.last_error} order by ${mailOutbox.attempted_at} desc))[1]`,
    })
    .from(mailOutbox)
    .where(isWaiting);
  return row!;
}

/** Returns whether a mail of a key has failed and was neither sent nor replaced since. */
export async function existsFailed(connection: Connection, replaceKey: string): Promise<boolean> {
  // A mail that was sent neither waits nor is given up; the index asks for it.
  const isUnsent = sql`${mailOutbox.replace_key} = ${replaceKey} and ${mailOutbox.sent_at} is null`;
  return (await connection.$count(mailOutbox, and(isUnsent, or(isWaiting, isGivenUp)))) > 0;
}

/** Returns how many mails failed and will be tried again, and how many are given up. */
export async function countFailures(connection: Connection): Promise<{ waiting: number; givenUp: number }> {
  const { rows } = await connection.execute<{ waiting: string; given_up: string }>(
    sql`select count(*) filter (where ${isWaiting}) as waiting, count(*) filter (where ${isGivenUp}) as given_up
      from ${mailOutbox} where ${or(isWaiting, isGivenUp)}`,
  );
  return { waiting: Number(rows[0]!.waiting), givenUp: Number(rows[0]!.given_up) };
}

/** Returns a given-up mail, locked until the transaction ends; undefined where the mail is not given up. */
export async function lockGivenUp(tx: Transaction, id: number): Promise<OutboxRow | undefined> {
  const [row] = await tx
    .select()
    .from(mailOutbox)
    .where(and(eq(mailOutbox.id, id), isGivenUp))
    .for("update");
  return row;
}

/** Makes a given-up mail due, as if it had just been written and not been tried, and wakes the mailers. */
export async function requeue(tx: Transaction, id: number, { now, dueAt }: { now: Date; dueAt: Date }): Promise<void> {
  await tx
    .update(mailOutbox)
    .set({
      requeued_at: now,
      next_attempt_at: dueAt,
      attempts: 0,
      failed_at: null,
      failure_kind: null,
      last_error: null,
      attempted_at: null,
    })
    .where(eq(mailOutbox.id, id));
  // Stryker disable next-line StringLiteral: the mailers look by themselves too, only later.
  await tx.execute(sql`select pg_notify('changes', '{"topic":"mail"}')`);
}

export async function deleteMail(tx: Transaction, id: number): Promise<void> {
  await tx.delete(mailOutbox).where(eq(mailOutbox.id, id));
}

/** Returns whether a given-up mail still has a text that has not expired. */
export const canSendAgain = (row: OutboxRow, now: Date): boolean =>
  row.sealed_body !== null && (row.expires_at === null || row.expires_at > now);
