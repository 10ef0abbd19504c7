import { and, asc, desc, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { accounts, profiles, verificationCodes } from "../../platform/db/schema.ts";
import { deleteRows } from "../../platform/retention/delete-rows.ts";

export type CodeRow = typeof verificationCodes.$inferSelect;

export interface LockedAccount {
  email: string;
  full_name: string;
  email_verified_at: Date | null;
}

/** Returns an account, locked until the transaction ends. Whatever changes an account's codes locks it first. */
export async function lockAccount(tx: Transaction, id: string): Promise<LockedAccount | undefined> {
  const [row] = await tx
    .select({ email: accounts.email, full_name: profiles.full_name, email_verified_at: accounts.email_verified_at })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.id, accounts.id))
    .where(eq(accounts.id, id))
    .for("update", { of: accounts });
  return row;
}

/** Returns whether an address has a verified account. */
export async function existsVerifiedAccount(connection: Connection, email: string): Promise<boolean> {
  const isVerified = and(eq(accounts.email, email), isNotNull(accounts.email_verified_at));
  // Stryker disable next-line ObjectLiteral: whether there is a row matters, not what it has.
  const rows = await connection.select({ id: accounts.id }).from(accounts).where(isVerified);
  return rows.length > 0;
}

/** Returns the newest code of a user, also one that has ended: the one that no other replaced, since the clock may have been set back between two. */
export async function findNewestCode(connection: Connection, userId: string): Promise<CodeRow | undefined> {
  const [row] = await connection
    .select()
    .from(verificationCodes)
    .where(eq(verificationCodes.user_id, userId))
    .orderBy(asc(verificationCodes.superseded), desc(verificationCodes.created_at))
    .limit(1);
  return row;
}

/** Ends all codes of a user. */
export async function supersedeCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.update(verificationCodes).set({ superseded: true }).where(eq(verificationCodes.user_id, userId));
}

export async function insertCode(tx: Transaction, row: typeof verificationCodes.$inferInsert): Promise<void> {
  await tx.insert(verificationCodes).values(row);
}

/** Returns the code of a user that is neither verified nor superseded; it may be expired. */
export async function findLiveCode(connection: Connection, userId: string): Promise<CodeRow | undefined> {
  const [row] = await connection
    .select()
    .from(verificationCodes)
    .where(
      and(
        eq(verificationCodes.user_id, userId),
        eq(verificationCodes.verified, false),
        eq(verificationCodes.superseded, false),
      ),
    );
  return row;
}

export async function incrementTries(tx: Transaction, codeId: string): Promise<void> {
  await tx
    .update(verificationCodes)
    .set({ tries: sql`${verificationCodes.tries} + 1` })
    .where(eq(verificationCodes.id, codeId));
}

export async function markCodeVerified(tx: Transaction, codeId: string): Promise<void> {
  await tx.update(verificationCodes).set({ verified: true }).where(eq(verificationCodes.id, codeId));
}

/** Marks an account as verified. Throws on the unique index when the address has a verified account already. */
export async function markEmailVerified(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.update(accounts).set({ email_verified_at: at }).where(eq(accounts.id, id));
}

export function deleteOldCodes(connection: Connection, expiredBefore: Date, limit: number): Promise<number> {
  return deleteRows(connection, verificationCodes, lt(verificationCodes.expires_at, expiredBefore), limit);
}
