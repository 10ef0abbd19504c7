import { and, asc, desc, eq, gt, isNotNull, isNull, lt, lte, notInArray, or, sql, type SQL } from "drizzle-orm";
import type { Connection } from "../db/database.ts";
import { preparedInsert } from "../db/prepared.ts";
import { mailOutbox } from "../db/schema.ts";
import { deleteRows } from "../retention/delete-rows.ts";
import type { MailChoice } from "./outbox.ts";

export type OutboxRow = typeof mailOutbox.$inferSelect;
export type PrintedMail = Pick<OutboxRow, "recipient" | "subject" | "sealed_body">;

const mailInsert = preparedInsert(mailOutbox, (rows) => rows.prepare("insert_mails"));

export async function insert(connection: Connection, rows: (typeof mailOutbox.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await mailInsert(connection, rows);
}

/** Returns the id of the inserted mail. */
export async function insertOne(connection: Connection, row: typeof mailOutbox.$inferInsert): Promise<number> {
  const [inserted] = await connection.insert(mailOutbox).values(row).returning({ id: mailOutbox.id });
  return inserted!.id;
}

/** Returns a mail if it has this key. */
export async function findByIdAndReplaceKey(
  connection: Connection,
  id: number,
  replaceKey: string,
): Promise<OutboxRow | undefined> {
  const [row] = await connection
    .select()
    .from(mailOutbox)
    .where(and(eq(mailOutbox.id, id), eq(mailOutbox.replace_key, replaceKey)));
  return row;
}

/** Drops mails of a key that were not sent. */
export function dropWaiting(connection: Connection, replaceKey: string, reason: string): Promise<void> {
  return dropUnsent(connection, eq(mailOutbox.replace_key, replaceKey), reason);
}

/** Drops mails of a kind to an account that were not sent. */
export function dropOptional(connection: Connection, { accountId, kind }: MailChoice, reason: string): Promise<void> {
  return dropUnsent(connection, and(eq(mailOutbox.account_id, accountId), eq(mailOutbox.optional_kind, kind)), reason);
}

/** Counts an attempt, so that a mail on its way cannot revive. */
async function dropUnsent(connection: Connection, which: SQL | undefined, reason: string): Promise<void> {
  await connection
    .update(mailOutbox)
    .set({
      attempts: sql`${mailOutbox.attempts} + 1`,
      sealed_body: null,
      next_attempt_at: null,
      failed_at: null,
      last_error: reason,
    })
    .where(and(which, isNull(mailOutbox.sent_at)));
}

/**
 * Drops mails of a key that were not sent. Returns whether there were any and none of them can have arrived: one that is on its way, or
 * whose server stalled, may have.
 */
export async function withdraw(connection: Connection, replaceKey: string, reason: string): Promise<boolean> {
  const unsent = await connection
    .select({ attempts: mailOutbox.attempts, failure_kind: mailOutbox.failure_kind, may_repeat: mailOutbox.may_repeat })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.replace_key, replaceKey), isNull(mailOutbox.sent_at), isNotNull(mailOutbox.sealed_body)))
    .for("update");
  await dropWaiting(connection, replaceKey, reason);
  return unsent.length > 0 && unsent.every((row) => !row.may_repeat && (row.attempts === 0 || row.failure_kind !== null));
}

/**
 * Drops mails of several keys that were not sent. Returns the keys of which no mail can have arrived, also none that was sent or dropped
 * before; a key without any mail is not among them.
 */
export async function withdrawAll(
  connection: Connection,
  replaceKeys: readonly string[],
  reason: string,
): Promise<Set<string>> {
  // Stryker disable next-line ConditionFalse: saves queries that would find nothing.
  if (replaceKeys.length === 0) return new Set();
  const { replace_key, sent_at, attempted_at, failure_kind, may_repeat } = mailOutbox;
  const isOfKeys = sql`${replace_key} = any(${sql.param(replaceKeys)}::text[])`;
  await dropUnsent(connection, isOfKeys, reason);
  const cannotHaveArrived = sql`${sent_at} is null and not ${may_repeat} and (${attempted_at} is null or ${failure_kind} is not null)`;
  const rows = await connection
    .select({ key: sql<string>`${replace_key}` })
    .from(mailOutbox)
    .where(isOfKeys)
    .groupBy(replace_key)
    .having(sql`bool_and(${cannotHaveArrived})`);
  return new Set(rows.map(({ key }) => key));
}

/**
 * Claims the longest-due mail for one attempt, skipping what others hold and `busy`, what this process is sending; it is due
 * again only at `leaseEnd`. A mail that was never tried is always due. Necessary mails come before optional ones, and of either those whose
 * server stalled come last. Of optional ones those that expire, reminders, come before news (MAIL-10). A mail whose process has not recorded
 * how its attempt ended may arrive twice (MAIL-12).
 */
export async function claimDue(
  connection: Connection,
  at: { now: Date; leaseEnd: Date },
  busy: number[],
): Promise<OutboxRow | undefined> {
  const [row] = await connection
    .update(mailOutbox)
    .set({ ...attemptAt(at.now), next_attempt_at: at.leaseEnd })
    .where(isDue(connection, at.now, busy, 1))
    .returning();
  return row;
}

/** Marks at most `limit` mails that are due as sent and returns them, in any order. For a site that has no mail server to wait for. */
export function claimAllDue(connection: Connection, at: { now: Date; sentAt: Date }, limit: number): Promise<PrintedMail[]> {
  return connection
    .update(mailOutbox)
    .set({
      ...attemptAt(at.now),
      next_attempt_at: null,
      sent_at: sql`coalesce(${mailOutbox.sent_at}, ${at.sentAt.toISOString()})`,
    })
    .where(isDue(connection, at.now, [], limit))
    .returning({ recipient: mailOutbox.recipient, subject: mailOutbox.subject, sealed_body: mailOutbox.sealed_body });
}

function isDue(connection: Connection, now: Date, busy: number[], limit: number): SQL {
  const due = connection
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(
      and(
        isNotNull(mailOutbox.next_attempt_at),
        or(eq(mailOutbox.attempts, 0), lte(mailOutbox.next_attempt_at, now)),
        notInArray(mailOutbox.id, busy),
      ),
    )
    .orderBy(
      asc(mailOutbox.is_optional),
      sql`${mailOutbox.failure_kind} is not distinct from 'stalled'`,
      sql`(${mailOutbox.is_optional} and ${mailOutbox.expires_at} is null)`,
      asc(mailOutbox.next_attempt_at),
      asc(mailOutbox.id),
    )
    .limit(limit)
    .for("update", { skipLocked: true });
  // An array is read once; a subquery could lock other rows at each reading.
  return sql`${mailOutbox.id} = any(array(${due}))`;
}

function attemptAt(now: Date) {
  return {
    attempts: sql`${mailOutbox.attempts} + 1`,
    attempted_at: now,
    failure_kind: null,
    may_repeat: sql`${mailOutbox.may_repeat} or (${mailOutbox.attempted_at} is not null and ${mailOutbox.failure_kind} is null)`,
  };
}

type Outcome = Partial<
  Pick<OutboxRow, "sent_at" | "sealed_body" | "next_attempt_at" | "last_error" | "failure_kind" | "failed_at" | "may_repeat">
>;

/** Records how an attempt ended, unless its lease had run out and another process took over. */
export async function finishAttempt(connection: Connection, row: OutboxRow, outcome: Outcome): Promise<void> {
  await connection.update(mailOutbox).set(outcome).where(isOfAttempt(row));
}

/**
 * Records a failure as `finishAttempt` does, and returns whether it stands: one at an address that the mail has left meanwhile does not, and the
 * mail is due at its present address (OWN-3).
 */
export async function finishFailed(connection: Connection, row: OutboxRow, outcome: Outcome, now: Date): Promise<boolean> {
  const { id, recipient } = mailOutbox;
  const recorded = await connection
    .update(mailOutbox)
    .set(outcome)
    .where(and(isOfAttempt(row), eq(recipient, row.recipient)))
    .returning({ id });
  if (recorded.length > 0) return true;
  const { next_attempt_at: next } = outcome;
  await finishAttempt(connection, row, { ...outcome, next_attempt_at: next && next < now ? next : now, failed_at: null });
  return false;
}

const isOfAttempt = ({ id, attempts }: OutboxRow): SQL | undefined =>
  and(eq(mailOutbox.id, id), eq(mailOutbox.attempts, attempts));

/** After this many attempts a mail keeps its own back-off, or a recipient who refuses for days would be tried all the time. */
const maxAttemptsBroughtForward = 10;

/** Makes the mails that wait after a failure due now. A claimed mail has no failure, so it stays with its process. */
export async function bringForward(connection: Connection, now: Date): Promise<void> {
  await connection
    .update(mailOutbox)
    .set({ next_attempt_at: now })
    .where(
      and(
        gt(mailOutbox.next_attempt_at, now),
        isNotNull(mailOutbox.failure_kind),
        or(
          sql`${mailOutbox.failure_kind} = 'server' and not ${mailOutbox.may_repeat}`,
          lte(mailOutbox.attempts, maxAttemptsBroughtForward),
        ),
      ),
    );
}

/** Ends the waits of mails that were last tried in the future. */
export async function endFutureWaits(connection: Connection, at: { now: Date; leaseEnd: Date }): Promise<void> {
  await connection
    .update(mailOutbox)
    .set({ next_attempt_at: at.leaseEnd })
    .where(and(gt(mailOutbox.attempted_at, at.now), gt(mailOutbox.next_attempt_at, at.leaseEnd)));
}

/** Deletes mails that need no other attempt. */
export function deleteDone(connection: Connection, createdBefore: Date, limit: number): Promise<number> {
  const isDone = and(isNull(mailOutbox.next_attempt_at), lt(mailOutbox.created_at, createdBefore));
  return deleteRows(connection, mailOutbox, isDone, limit);
}

/** Which mails to list: all, those of one recipient, or one. */
export interface ReadableFilter {
  recipient?: string | undefined;
  id?: number;
}

/** Returns mails that still have their text, newest first. */
export function findAllReadable(
  connection: Connection,
  { recipient, id }: ReadableFilter,
  limit: number,
): Promise<OutboxRow[]> {
  return connection
    .select()
    .from(mailOutbox)
    .where(
      and(
        isNotNull(mailOutbox.sealed_body),
        recipient === undefined ? undefined : eq(mailOutbox.recipient, recipient),
        id === undefined ? undefined : eq(mailOutbox.id, id),
      ),
    )
    .orderBy(desc(mailOutbox.id))
    .limit(limit);
}
