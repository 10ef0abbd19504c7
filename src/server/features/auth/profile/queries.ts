import { and, eq, getTableColumns, gt, lt, lte, or, sql, type SQL } from "drizzle-orm";
import { codeLifetimeSeconds } from "#domain/accounts/verification";
import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { accounts, emailChanges } from "../../../platform/db/schema.ts";

export type EmailChangeRow = typeof emailChanges.$inferSelect;

/** The newest code of a change has not expired, nor was it mailed while the clock was ahead. */
function holds(now: Date): SQL | undefined {
  const { expires_at } = emailChanges;
  return and(gt(expires_at, now), lte(expires_at, secondsAfter(now, codeLifetimeSeconds + clockToleranceSeconds)));
}

/** Returns the change of address of an account that has not expired. */
export async function findEmailChange(
  connection: Connection,
  accountId: string,
  now: Date,
): Promise<EmailChangeRow | undefined> {
  const [row] = await connection
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.account_id, accountId), holds(now)));
  return row;
}

/** Returns the changes to an address that have not expired, of any account. */
export function findAllChangesTo(connection: Connection, newEmail: string, now: Date): Promise<EmailChangeRow[]> {
  // Stryker disable next-line Query: `countChangeTry` compares both again.
  const isPending = and(eq(emailChanges.new_email, newEmail), holds(now));
  // Stryker disable next-line Query: the same.
  return connection.select().from(emailChanges).where(isPending);
}

/** Returns the changes requested after a time, by the account's present or its new address. */
export function findAllRequested(connection: Connection, email: string, after: Date): Promise<EmailChangeRow[]> {
  return connection
    .select(getTableColumns(emailChanges))
    .from(emailChanges)
    .innerJoin(accounts, eq(accounts.id, emailChanges.account_id))
    .where(and(or(eq(accounts.email, email), eq(emailChanges.new_email, email)), gt(emailChanges.created_at, after)));
}

/** Inserts a change of address in place of the account's earlier one. */
export async function upsertEmailChange(tx: Transaction, row: typeof emailChanges.$inferInsert): Promise<void> {
  const values = { ...row, tries: 0 };
  await tx.insert(emailChanges).values(values).onConflictDoUpdate({ target: emailChanges.account_id, set: values });
}

export async function deleteEmailChange(tx: Transaction, accountId: string): Promise<void> {
  await tx.delete(emailChanges).where(eq(emailChanges.account_id, accountId));
}

/** Counts a try of a change to an address, and returns it. Returns undefined when there is none, or its tries are used up. */
export async function countChangeTry(
  tx: Transaction,
  change: { accountId: string; newEmail: string; now: Date; maxTries: number },
): Promise<EmailChangeRow | undefined> {
  const [row] = await tx
    .update(emailChanges)
    .set({ tries: sql`${emailChanges.tries} + 1` })
    .where(
      and(
        eq(emailChanges.account_id, change.accountId),
        eq(emailChanges.new_email, change.newEmail),
        holds(change.now),
        lt(emailChanges.tries, change.maxTries),
      ),
    )
    .returning();
  return row;
}

/** Sets a proven address of an account, which stays verified since its first one; its profile follows. Throws on the unique index when the address has a verified account. */
export async function updateEmail(tx: Transaction, id: string, email: string, now: Date): Promise<void> {
  const email_verified_at = sql`coalesce(${accounts.email_verified_at}, ${now})`;
  await tx.update(accounts).set({ email, email_verified_at, updated_at: now }).where(eq(accounts.id, id));
}

export async function markUpdated(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.update(accounts).set({ updated_at: now }).where(eq(accounts.id, id));
}
