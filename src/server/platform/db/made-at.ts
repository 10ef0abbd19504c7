import { sql } from "drizzle-orm";
import type { Connection } from "./database.ts";

/** Returns when a migrated database was made, by its own clock. A restored one is as old as the one of the backup. */
export async function databaseMadeAt(db: Connection): Promise<Date> {
  const query = sql`select extract(epoch from min(applied_at)) * 1000 as milliseconds from schema_migrations`;
  const { rows } = await db.execute<{ milliseconds: string }>(query);
  return new Date(Number(rows[0]?.milliseconds));
}
