import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { passwordRecoveries } from "../../../platform/db/schema.ts";

export async function insertRecovery(tx: Transaction, row: typeof passwordRecoveries.$inferInsert): Promise<void> {
  await tx.insert(passwordRecoveries).values(row);
}

export async function deleteExpiredRecoveries(tx: Transaction, accountId: string, now: Date): Promise<void> {
  const { account_id, expires_at } = passwordRecoveries;
  await tx.delete(passwordRecoveries).where(sql`${account_id} = ${accountId} and ${expires_at} <= ${now}`);
}

export async function deleteAllRecoveries(tx: Transaction, accountId: string): Promise<void> {
  await tx.delete(passwordRecoveries).where(eq(passwordRecoveries.account_id, accountId));
}

/** Returns the id of the account that a recovery token was mailed to, valid or not. */
export async function findRecoveryAccountId(connection: Connection, hash: Buffer): Promise<string | undefined> {
  const [row] = await connection
    .select({ accountId: passwordRecoveries.account_id })
    .from(passwordRecoveries)
    .where(eq(passwordRecoveries.token_hash, hash));
  return row?.accountId;
}

/** Marks a recovery token as used; returns whether it was unused, not expired and not made while the clock was ahead. */
export async function markRecoveryUsed(tx: Transaction, hash: Buffer, now: Date): Promise<boolean> {
  const { token_hash, account_id, created_at, expires_at, used_at } = passwordRecoveries;
  const isValid = and(gt(expires_at, now), lte(created_at, secondsAfter(now, clockToleranceSeconds)));
  const rows = await tx
    .update(passwordRecoveries)
    .set({ used_at: now })
    .where(and(eq(token_hash, hash), isNull(used_at), isValid))
    .returning({ accountId: account_id });
  return rows.length > 0;
}
