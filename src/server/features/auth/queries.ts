import { and, desc, eq, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import { violatedConstraint, type Connection, type Transaction } from "../../platform/db/database.ts";
import { lockInSpace, lockSpaces } from "../../platform/db/locks.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { accounts, familiarNetworks, profiles } from "../../platform/db/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";

const account = {
  id: accounts.id,
  email: accounts.email,
  role: accounts.role,
  password_hash: accounts.password_hash,
  email_verified_at: accounts.email_verified_at,
  created_at: accounts.created_at,
  last_sign_in_at: accounts.last_sign_in_at,
  updated_at: accounts.updated_at,
  full_name: profiles.full_name,
};

/** Selects accounts with the names of their profiles. */
export const selectAccounts = (connection: Connection) =>
  connection.select(account).from(accounts).innerJoin(profiles, eq(profiles.id, accounts.id));

export type AccountRow = Awaited<ReturnType<typeof selectAccounts>>[number];

export interface FoundAccounts {
  verified: AccountRow | undefined;
  unfinished: readonly AccountRow[];
  /** When the verified account was last signed in to from the network that was asked about; undefined for one that is not familiar. */
  lastUse: Date | undefined;
}

const ofAddress = prepared((connection) => {
  const email = sql.placeholder("email");
  const isNetwork = eq(familiarNetworks.network_hash, sql.placeholder("networkHash"));
  return (
    connection
      .select({ ...account, lastUse: familiarNetworks.last_used_at })
      .from(accounts)
      .innerJoin(profiles, eq(profiles.id, accounts.id))
      .leftJoin(familiarNetworks, and(eq(familiarNetworks.account_id, accounts.id), isNetwork))
      // Each half names the predicate of its partial index; without it neither index can be used.
      .where(
        or(
          and(eq(accounts.email, email), isNotNull(accounts.email_verified_at)),
          and(eq(accounts.email, email), isNull(accounts.email_verified_at)),
        ),
      )
      .orderBy(desc(accounts.created_at), accounts.id)
      .prepare("accounts_of_address")
  );
});

/** Returns the verified account of an address, if any, and its unfinished sign-ups, newest first. `networkHash` names a network to ask about. */
export async function findByEmail(connection: Connection, email: string, networkHash?: Buffer): Promise<FoundAccounts> {
  const rows = await ofAddress(connection).execute({ email, networkHash: networkHash ?? null });
  const verified = rows.find((row) => row.email_verified_at !== null);
  const unfinished = rows.filter((row) => row.email_verified_at === null);
  return { verified, unfinished, lastUse: verified?.lastUse ?? undefined };
}

export async function findById(connection: Connection, id: string): Promise<AccountRow | undefined> {
  const [row] = await selectAccounts(connection).where(eq(accounts.id, id));
  return row;
}

/** Returns an account, locked until the transaction ends. */
export async function lockById(tx: Transaction, id: string): Promise<AccountRow | undefined> {
  const [row] = await selectAccounts(tx).where(eq(accounts.id, id)).for("update", { of: accounts });
  return row;
}

/** Locks an address until the transaction ends, so that sign-ups for it and proofs of it take turns. */
export async function lockAddress(tx: Transaction, email: string): Promise<void> {
  await lockInSpace(tx, lockSpaces.emailAddress, email);
}

/**
 * Runs a write that verifies an address. Returns false when another account has verified it; in a savepoint, so that the try is counted
 * all the same.
 */
export async function unlessVerifiedElsewhere(tx: Transaction, write: (inner: Transaction) => Promise<void>): Promise<boolean> {
  try {
    await transaction(tx, write);
    return true;
  } catch (error) {
    if (violatedConstraint(error) === "accounts_verified_email") return false;
    throw error;
  }
}

/** Inserts an account with its profile and returns its id. */
export async function insertAccount(
  tx: Transaction,
  row: typeof accounts.$inferInsert & { full_name: string },
): Promise<string> {
  const { full_name, ...values } = row;
  const [inserted] = await tx.insert(accounts).values(values).returning({ id: accounts.id });
  await tx.insert(profiles).values({ id: inserted!.id, email: row.email, full_name });
  return inserted!.id;
}

/** Deletes an account; foreign keys delete its profile, sessions, codes and quotes and keep payment requests and screenshots. */
export async function deleteAccount(tx: Transaction, id: string): Promise<void> {
  await tx.delete(accounts).where(eq(accounts.id, id));
}

/** Deletes the unfinished sign-ups of an address, with their codes and sessions. */
export async function deleteUnfinishedSignUps(tx: Transaction, email: string): Promise<void> {
  await tx.delete(accounts).where(and(eq(accounts.email, email), isNull(accounts.email_verified_at)));
}

export async function updateFullName(tx: Transaction, id: string, fullName: string): Promise<void> {
  await tx
    .update(profiles)
    .set({ full_name: fullName })
    .where(and(eq(profiles.id, id), ne(profiles.full_name, fullName)));
}

export async function updatePassword(tx: Transaction, id: string, passwordHash: string): Promise<void> {
  await tx.update(accounts).set({ password_hash: passwordHash }).where(eq(accounts.id, id));
}
