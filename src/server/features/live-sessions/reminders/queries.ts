import { and, eq, gt, inArray, isNotNull, lt, lte, ne, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { accounts, liveOccurrences, liveReminders, liveSessions, profiles } from "../../../platform/db/schema.ts";
import { deleteRows } from "../../../platform/retention/delete-rows.ts";
import { wantsMail } from "../../mail-choices/service.ts";

/** What a mail says of an occurrence. */
export interface MailedOccurrence {
  id: string;
  starts_at: Date;
  title: string;
  time_zone: string;
}

export interface Recipient {
  id: string;
  email: string;
  full_name: string;
}

const mailed = {
  id: liveOccurrences.id,
  starts_at: liveOccurrences.starts_at,
  title: liveSessions.title,
  time_zone: liveSessions.time_zone,
};

const startsBetween = (now: Date, until: Date) =>
  and(eq(liveOccurrences.cancelled, false), gt(liveOccurrences.starts_at, now), lte(liveOccurrences.starts_at, until));

/** Returns the ids of occurrences that start after `now` and not after `until`. */
export async function findAllDue(connection: Connection, now: Date, until: Date): Promise<string[]> {
  const rows = await connection.select({ id: liveOccurrences.id }).from(liveOccurrences).where(startsBetween(now, until));
  return rows.map(({ id }) => id);
}

/** Returns an occurrence if it is still due, and keeps it from being cancelled or moved until the transaction ends. */
export async function lockDue(tx: Transaction, id: string, now: Date, until: Date): Promise<MailedOccurrence | undefined> {
  const [row] = await tx
    .select(mailed)
    .from(liveOccurrences)
    .innerJoin(liveSessions, eq(liveSessions.id, liveOccurrences.session_id))
    .where(and(eq(liveOccurrences.id, id), startsBetween(now, until)))
    .for("share", { of: liveOccurrences });
  return row;
}

/** Locks the occurrences of a session that have not begun, so that no reminder is sent until the transaction ends. */
export async function lockUpcoming(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await tx
    .select({ id: liveOccurrences.id })
    .from(liveOccurrences)
    .where(and(eq(liveOccurrences.session_id, sessionId), gt(liveOccurrences.starts_at, now)))
    .orderBy(liveOccurrences.id)
    .for("update");
}

/**
 * Returns at most `limit` verified Advanced students who want reminders and are to be reminded of an occurrence. None of them is deleted
 * or makes a choice until the transaction ends; one made while this waited for their lock is left to `stillWanting`.
 */
export function findAllNotReminded(tx: Transaction, occurrenceId: string, limit: number): Promise<Recipient[]> {
  const isReminded = sql`exists (select from ${liveReminders}
    where ${liveReminders.occurrence_id} = ${occurrenceId} and ${liveReminders.account_id} = ${profiles.id}
      and not ${liveReminders.remind_again})`;
  return tx
    .select({ id: profiles.id, email: profiles.email, full_name: profiles.full_name })
    .from(profiles)
    .innerJoin(accounts, and(eq(accounts.id, profiles.id), isNotNull(accounts.email_verified_at)))
    .where(and(eq(profiles.subscription_status, "advanced"), wantsMail("live_session_reminder"), sql`not ${isReminded}`))
    .limit(limit)
    .for("key share", { of: accounts });
}

/** Records who is reminded of an occurrence, some of them again. */
export async function upsertReminders(
  tx: Transaction,
  { id, starts_at }: MailedOccurrence,
  recipients: readonly Recipient[],
): Promise<void> {
  await tx
    .insert(liveReminders)
    .values(recipients.map((recipient) => ({ occurrence_id: id, account_id: recipient.id, starts_at })))
    .onConflictDoUpdate({
      target: [liveReminders.occurrence_id, liveReminders.account_id],
      set: { starts_at, remind_again: false },
    });
}

/**
 * Someone who was reminded of an occurrence, with the start that the last mail named or, of a cancelled one, that it was moved to since,
 * and whether it is cancelled.
 */
export interface Reminded {
  isCancelled: boolean;
  occurrence: MailedOccurrence;
  recipient: Recipient;
  hasAdvanced: boolean;
}

/** Returns who was reminded of occurrences of a session that were to start after a time. */
export async function findAllReminded(tx: Transaction, sessionId: string, now: Date): Promise<Reminded[]> {
  return tx
    .select({
      isCancelled: liveOccurrences.cancelled,
      occurrence: { ...mailed, starts_at: liveReminders.starts_at },
      recipient: { id: profiles.id, email: profiles.email, full_name: profiles.full_name },
      hasAdvanced: sql<boolean>`${profiles.subscription_status} = 'advanced'`,
    })
    .from(liveReminders)
    .innerJoin(liveOccurrences, eq(liveOccurrences.id, liveReminders.occurrence_id))
    .innerJoin(liveSessions, eq(liveSessions.id, liveOccurrences.session_id))
    .innerJoin(profiles, eq(profiles.id, liveReminders.account_id))
    .where(and(eq(liveSessions.id, sessionId), gt(liveReminders.starts_at, now)));
}

/** Returns the starts of those of the occurrences that take place, by id. */
export async function findAllStarts(tx: Transaction, ids: readonly string[]): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: liveOccurrences.id, starts_at: liveOccurrences.starts_at })
    .from(liveOccurrences)
    .where(and(inArray(liveOccurrences.id, [...ids]), eq(liveOccurrences.cancelled, false)));
  return new Map(rows.map(({ id, starts_at }) => [id, starts_at]));
}

/** Deletes the record that a student was reminded of an occurrence. */
export async function deleteReminder(tx: Transaction, occurrenceId: string, accountId: string): Promise<void> {
  const { occurrence_id, account_id } = liveReminders;
  await tx.delete(liveReminders).where(and(eq(occurrence_id, occurrenceId), eq(account_id, accountId)));
}

/** Records the start that students who were reminded of an occurrence have been mailed, and whether they are reminded of it again. */
export async function updateReminders(
  tx: Transaction,
  occurrenceId: string,
  record: { starts_at?: Date; remind_again: boolean },
): Promise<void> {
  await tx.update(liveReminders).set(record).where(eq(liveReminders.occurrence_id, occurrenceId));
}

/** Records the starts that cancelled occurrences of a session were moved to, since they may take place after all until then (LIVESESSION-7). */
export async function updateCancelledStarts(tx: Transaction, sessionId: string): Promise<void> {
  await tx
    .update(liveReminders)
    .set({ starts_at: sql`${liveOccurrences.starts_at}` })
    .from(liveOccurrences)
    .where(
      and(
        eq(liveOccurrences.id, liveReminders.occurrence_id),
        eq(liveOccurrences.session_id, sessionId),
        eq(liveOccurrences.cancelled, true),
        ne(liveReminders.starts_at, liveOccurrences.starts_at),
      ),
    );
}

/** Deletes at most `limit` reminders of what started before a time; returns how many. */
export function deleteOldReminders(connection: Connection, before: Date, limit: number): Promise<number> {
  return deleteRows(connection, liveReminders, lt(liveReminders.starts_at, before), limit);
}
