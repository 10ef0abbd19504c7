import type { Database } from "./database.ts";
import { accounts } from "./schema.ts";

/** Returns whether a migrated database has been used: the first start makes the admin's account. */
export async function hasAccounts(db: Database): Promise<boolean> {
  const rows = await db.select({ id: accounts.id }).from(accounts).limit(1);
  return rows.length > 0;
}
