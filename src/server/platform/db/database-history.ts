import { sql } from "drizzle-orm";
import type { Connection, Database } from "./database.ts";
import { accounts } from "./schema.ts";

/** Returns whether a migrated database has been used: the first start makes the admin's account. */
export async function hasAccounts(db: Database): Promise<boolean> {
  const rows = await db.select({ id: accounts.id }).from(accounts).limit(1);
  return rows.length > 0;
}

/** Returns when a migrated database was made, by its own clock. A restored one is as old as the one of the backup. */
export async function databaseMadeAt(db: Connection): Promise<Date> {
  const query = sql`select extract(epoch from min(applied_at)) * 1000 as milliseconds from schema_migrations`;
  const { rows } = await db.execute<{ milliseconds: string }>(query);
  return new Date(Number(rows[0]?.milliseconds));
}
