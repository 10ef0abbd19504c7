import type { Database } from "./database.ts";
import { accounts } from "./schema.ts";

/** Whether a migrated database was ever served: the first start makes the admin's account. */
export async function hasAccounts(db: Database): Promise<boolean> {
  const rows = await db.select({ id: accounts.id }).from(accounts).limit(1);
  return rows.length > 0;
}
