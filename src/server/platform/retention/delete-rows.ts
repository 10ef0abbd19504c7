import { sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Connection } from "../db/database.ts";

/** Deletes at most `limit` rows that meet a condition, without those that are locked; returns how many. */
export async function deleteRows(
  connection: Connection,
  table: PgTable,
  condition: SQL | undefined,
  limit: number,
): Promise<number> {
  const chosen = connection
    .select({ ctid: sql`ctid` })
    .from(table)
    .where(condition)
    .limit(limit)
    .for("update", { skipLocked: true });
  // An array is made once. PostgreSQL may repeat a list of `in` for each row, and would then choose others each time.
  const { rowCount } = await connection.delete(table).where(sql`ctid = any(array(${chosen}))`);
  return rowCount ?? 0;
}
