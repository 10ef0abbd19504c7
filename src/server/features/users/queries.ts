import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { SubscriptionStatus } from "#domain/packages";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { accounts, auditLog, mfaFactors, paymentRequests, profiles, userNotes } from "../../platform/db/schema.ts";

/** Columns of a user. */
export const user = {
  id: accounts.id,
  email: accounts.email,
  role: accounts.role,
  full_name: profiles.full_name,
  subscription_status: profiles.subscription_status,
  tier_changes: profiles.tier_changes,
  email_verified: sql<boolean>`${accounts.email_verified_at} is not null`.as("email_verified"),
  second_factor: sql<boolean>`exists (select from ${mfaFactors}
    where ${mfaFactors.account_id} = ${accounts.id} and ${mfaFactors.verified_at} is not null)`.as("second_factor"),
  created_at: accounts.created_at,
  last_sign_in_at: accounts.last_sign_in_at,
};

const selectUsers = (connection: Connection) =>
  connection.select(user).from(accounts).innerJoin(profiles, eq(profiles.id, accounts.id));

export type UserRow = Awaited<ReturnType<typeof selectUsers>>[number];

export async function findById(connection: Connection, id: string): Promise<UserRow | undefined> {
  const [row] = await selectUsers(connection).where(eq(accounts.id, id));
  return row;
}

/** Returns a user, locked until the transaction ends, so that two changes of one student take turns. */
export async function lockById(tx: Transaction, id: string): Promise<UserRow | undefined> {
  const [row] = await selectUsers(tx).where(eq(accounts.id, id)).for("update");
  return row;
}

export interface LockedTier {
  tier: SubscriptionStatus;
  /** The account's present address. */
  email: string;
  /** How often the tier was set, to the same value too. */
  changes: number;
}

/**
 * Returns a student's tier and address, locked until the transaction ends; undefined when the account is deleted. Holds the account first, in the order of
 * `platform/db/locks.ts`: a second change of a request in one transaction checks its foreign key, which locks the account.
 */
export async function lockTier(tx: Transaction, id: string): Promise<LockedTier | undefined> {
  // Stryker disable next-line ObjectLiteral: the lock alone counts.
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id)).for("key share");
  const [row] = await tx
    .select({ tier: profiles.subscription_status, email: profiles.email, changes: profiles.tier_changes })
    .from(profiles)
    .where(eq(profiles.id, id))
    .for("update");
  return row;
}

export type HeldTier = Pick<LockedTier, "tier" | "email">;

const heldTier = prepared((connection) =>
  connection
    .select({ tier: profiles.subscription_status, email: accounts.email })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.id, accounts.id))
    .where(eq(accounts.id, sql.placeholder("id")))
    .for("share")
    .prepare("held_tier"),
);

/**
 * Returns a student's tier and address, which cannot change until the transaction ends; undefined when the account is deleted. Locks the account
 * first, as deleting it does, so that the two never deadlock.
 */
export async function holdTier(tx: Transaction, id: string): Promise<HeldTier | undefined> {
  const [row] = await heldTier(tx).execute({ id });
  return row;
}

/** Sets a student's tier and returns the number of this change. */
export async function updateTier(tx: Transaction, id: string, tier: SubscriptionStatus): Promise<number> {
  const [row] = await tx
    .update(profiles)
    .set({ subscription_status: tier })
    .where(eq(profiles.id, id))
    .returning({ changes: profiles.tier_changes });
  return row!.changes;
}

interface AuditPage {
  /** The id of the last entry of the page before. */
  before?: number;
  limit: number;
}

/**
 * Returns the newest entries of the audit log about a student and the student's payment requests, newest first. Of each subject only the
 * newest are read, from an index.
 */
export function findAllAudit(connection: Connection, accountId: string, { before, limit }: AuditPage) {
  const isFurther = before === undefined ? undefined : lt(auditLog.id, before);
  const newest = sql`
    select entry.id from (
      select 'account' as type, ${accountId} as id
      union all select 'payment-request', ${paymentRequests.id}::text from ${paymentRequests}
        where ${paymentRequests.user_id} = ${accountId}::uuid
    ) as subject cross join lateral (
      select ${auditLog.id} from ${auditLog}
      where ${and(sql`${auditLog.subject_type} = subject.type and ${auditLog.subject_id} = subject.id`, isFurther)}
      order by ${auditLog.id} desc limit ${limit}
    ) as entry order by entry.id desc limit ${limit}`;
  return connection
    .select()
    .from(auditLog)
    .where(sql`${auditLog.id} in (${newest})`)
    .orderBy(desc(auditLog.id));
}

export type NoteRow = typeof userNotes.$inferSelect;

/** Returns the notes about a student, newest first. */
export function findAllNotes(connection: Connection, accountId: string): Promise<NoteRow[]> {
  return connection
    .select()
    .from(userNotes)
    .where(eq(userNotes.account_id, accountId))
    .orderBy(desc(userNotes.created_at), desc(userNotes.id));
}

export async function insertNote(tx: Transaction, note: typeof userNotes.$inferInsert): Promise<NoteRow> {
  const [row] = await tx.insert(userNotes).values(note).returning();
  return row!;
}

/** Returns the changed note; undefined when the student has none with this id. */
export async function updateNote(
  tx: Transaction,
  note: { id: string; account_id: string },
  changes: { text: string; updated_at: Date },
): Promise<NoteRow | undefined> {
  const [row] = await tx.update(userNotes).set(changes).where(isNote(note)).returning();
  return row;
}

/** Returns whether the student had the note. */
export async function deleteNote(tx: Transaction, note: { id: string; account_id: string }): Promise<boolean> {
  const { rowCount } = await tx.delete(userNotes).where(isNote(note));
  return rowCount === 1;
}

function isNote({ id, account_id }: { id: string; account_id: string }) {
  return and(eq(userNotes.id, id), eq(userNotes.account_id, account_id));
}
