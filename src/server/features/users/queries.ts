import { and, desc, eq, exists, isNotNull, isNull, not, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { SubscriptionStatus } from "#domain/packages";
import { containsText } from "../../platform/db/contains-text.ts";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { exactTime } from "../../platform/db/exact-time.ts";
import { accounts, mfaFactors, profiles } from "../../platform/db/schema.ts";

const user = {
  id: accounts.id,
  email: accounts.email,
  role: accounts.role,
  full_name: profiles.full_name,
  subscription_status: profiles.subscription_status,
  email_verified: sql<boolean>`${accounts.email_verified_at} is not null`,
  second_factor: sql<boolean>`exists (select from ${mfaFactors}
    where ${mfaFactors.account_id} = ${accounts.id} and ${mfaFactors.verified_at} is not null)`,
  created_at: accounts.created_at,
  last_sign_in_at: accounts.last_sign_in_at,
  created_at_exact: exactTime(accounts.created_at),
};

const selectUsers = (connection: Connection) =>
  connection.select(user).from(accounts).innerJoin(profiles, eq(profiles.id, accounts.id));

export type UserRow = Awaited<ReturnType<typeof selectUsers>>[number];

export interface UserPage {
  /** Sort keys of the last row of the page before. */
  after: { createdAt: string; id: string } | undefined;
  search: string | undefined;
  limit: number;
}

/** Returns students, newest first, without unfinished sign-ups of an address that has an account (docs/decisions/004). */
export function findAllStudents(connection: Connection, { after, search, limit }: UserPage): Promise<UserRow[]> {
  const owner = alias(accounts, "owner");
  const hasVerifiedAccount = exists(
    connection
      .select({ id: owner.id })
      .from(owner)
      .where(and(eq(owner.email, accounts.email), isNotNull(owner.email_verified_at))),
  );
  const isDuplicateSignUp = and(isNull(accounts.email_verified_at), hasVerifiedAccount)!;
  return selectUsers(connection)
    .where(
      and(
        eq(accounts.role, "student"),
        not(isDuplicateSignUp),
        after && sql`(${accounts.created_at}, ${accounts.id}) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
        search === undefined ? undefined : containsText(search, accounts.email, profiles.full_name),
      ),
    )
    .orderBy(desc(accounts.created_at), desc(accounts.id))
    .limit(limit);
}

/** Returns a user, locked until the transaction ends, so that two changes of one student take turns. */
export async function lockById(tx: Transaction, id: string): Promise<UserRow | undefined> {
  const [row] = await selectUsers(tx).where(eq(accounts.id, id)).for("update");
  return row;
}

export interface LockedTier {
  tier: SubscriptionStatus;
  /** How often the tier was set, to the same value too. */
  changes: number;
}

/** Returns a student's tier, locked until the transaction ends; undefined when the account is deleted. */
export async function lockTier(tx: Transaction, id: string): Promise<LockedTier | undefined> {
  const [row] = await tx
    .select({ tier: profiles.subscription_status, changes: profiles.tier_changes })
    .from(profiles)
    .where(eq(profiles.id, id))
    .for("update");
  return row;
}

/**
 * Returns a student's tier, which cannot change until the transaction ends; undefined when the account is deleted. Locks the account
 * first, as deleting it does, so that the two never deadlock.
 */
export async function holdTier(tx: Transaction, id: string): Promise<SubscriptionStatus | undefined> {
  const [row] = await tx
    .select({ tier: profiles.subscription_status })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.id, accounts.id))
    .where(eq(accounts.id, id))
    .for("share");
  return row?.tier;
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

/** Deletes an account; foreign keys delete its profile, sessions, codes and quotes and keep payment requests and screenshots. */
export async function deleteAccount(tx: Transaction, id: string): Promise<void> {
  await tx.delete(accounts).where(eq(accounts.id, id));
}
