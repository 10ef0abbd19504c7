import { and, eq, gt, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { lockKeys, lockSpaces } from "../../platform/db/locks.ts";
import { accounts, passwordRecoveries, profiles } from "../../platform/db/schema.ts";

const account = {
  id: accounts.id,
  email: accounts.email,
  role: accounts.role,
  password_hash: accounts.password_hash,
  email_verified_at: accounts.email_verified_at,
  created_at: accounts.created_at,
  last_sign_in_at: accounts.last_sign_in_at,
  full_name: profiles.full_name,
};

const selectAccounts = (connection: Connection) =>
  connection.select(account).from(accounts).innerJoin(profiles, eq(profiles.id, accounts.id));

export type AccountRow = Awaited<ReturnType<typeof selectAccounts>>[number];

/** The verified account of an address and the unfinished sign-up beside it, either of which may be missing. */
export async function findByEmail(
  connection: Connection,
  email: string,
): Promise<{ verified: AccountRow | undefined; unfinished: AccountRow | undefined }> {
  // Each half names the predicate of its partial index; without it neither index can be used.
  const rows = await selectAccounts(connection).where(
    or(
      and(eq(accounts.email, email), isNotNull(accounts.email_verified_at)),
      and(eq(accounts.email, email), isNull(accounts.email_verified_at)),
    ),
  );
  return {
    verified: rows.find((row) => row.email_verified_at !== null),
    unfinished: rows.find((row) => row.email_verified_at === null),
  };
}

export async function findAccount(connection: Connection, id: string): Promise<AccountRow | undefined> {
  const [row] = await selectAccounts(connection).where(eq(accounts.id, id));
  return row;
}

export async function lockAccount(tx: Transaction, id: string): Promise<AccountRow | undefined> {
  const [row] = await selectAccounts(tx).where(eq(accounts.id, id)).for("update", { of: accounts });
  return row;
}

/** Sign-ups for one address take turns until the transaction ends. */
export async function lockAddress(tx: Transaction, email: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockSpaces.emailAddress}, hashtext(${email}))`);
}

export async function insertAccount(
  tx: Transaction,
  row: typeof accounts.$inferInsert & { full_name: string },
): Promise<string> {
  const { full_name, ...values } = row;
  const [inserted] = await tx.insert(accounts).values(values).returning({ id: accounts.id });
  await tx.insert(profiles).values({ id: inserted!.id, email: row.email, full_name });
  return inserted!.id;
}

export async function deleteUnfinished(tx: Transaction, email: string): Promise<void> {
  await tx.delete(accounts).where(and(eq(accounts.email, email), isNull(accounts.email_verified_at)));
}

export async function renameProfile(tx: Transaction, id: string, fullName: string): Promise<void> {
  await tx
    .update(profiles)
    .set({ full_name: fullName })
    .where(and(eq(profiles.id, id), ne(profiles.full_name, fullName)));
}

export async function setPassword(tx: Transaction, id: string, passwordHash: string): Promise<void> {
  await tx.update(accounts).set({ password_hash: passwordHash }).where(eq(accounts.id, id));
}

// Password recovery

export async function insertRecovery(tx: Transaction, row: typeof passwordRecoveries.$inferInsert): Promise<void> {
  await tx.insert(passwordRecoveries).values(row);
}

export async function deleteExpiredRecoveries(tx: Transaction, accountId: string, now: Date): Promise<void> {
  await tx
    .delete(passwordRecoveries)
    .where(and(eq(passwordRecoveries.account_id, accountId), lte(passwordRecoveries.expires_at, now)));
}

export async function deleteRecoveries(tx: Transaction, accountId: string): Promise<void> {
  await tx.delete(passwordRecoveries).where(eq(passwordRecoveries.account_id, accountId));
}

export async function findRecoveryOwner(connection: Connection, hash: Buffer): Promise<string | undefined> {
  const [row] = await connection
    .select({ accountId: passwordRecoveries.account_id })
    .from(passwordRecoveries)
    .where(eq(passwordRecoveries.token_hash, hash));
  return row?.accountId;
}

/** Uses up a recovery token; answers whether it still held, once. */
export async function useRecovery(tx: Transaction, hash: Buffer, now: Date): Promise<boolean> {
  const rows = await tx
    .update(passwordRecoveries)
    .set({ used_at: now })
    .where(
      and(eq(passwordRecoveries.token_hash, hash), isNull(passwordRecoveries.used_at), gt(passwordRecoveries.expires_at, now)),
    )
    .returning({ accountId: passwordRecoveries.account_id });
  return rows.length > 0;
}

// The admin

export async function findAdmin(connection: Connection): Promise<AccountRow | undefined> {
  const [row] = await selectAccounts(connection).where(eq(accounts.role, "admin"));
  return row;
}

/** Processes that start at once take turns. */
export async function lockAdminRole(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockKeys.adminRole})`);
}

export async function setRole(tx: Transaction, id: string, role: "student" | "admin"): Promise<void> {
  await tx.update(accounts).set({ role }).where(eq(accounts.id, id));
}
