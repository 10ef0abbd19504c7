import { eq } from "drizzle-orm";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { lock, lockKeys } from "../../../platform/db/locks.ts";
import { accounts } from "../../../platform/db/schema.ts";
import { selectAccounts, type AccountRow } from "../queries.ts";

export async function findAdmin(connection: Connection): Promise<AccountRow | undefined> {
  const [row] = await selectAccounts(connection).where(eq(accounts.role, "admin"));
  return row;
}

/** Locks the choice of the admin until the transaction ends, so that processes that start at once take turns. */
export async function lockAdminRole(tx: Transaction): Promise<void> {
  await lock(tx, lockKeys.adminRole);
}

export async function updateRole(tx: Transaction, id: string, role: "student" | "admin"): Promise<void> {
  await tx.update(accounts).set({ role }).where(eq(accounts.id, id));
}
