import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Connection } from "../db/database.ts";

/** Deletes at most `limit` rows that meet a condition, without those that are locked; returns how many. `key` identifies a row. */
export async function deleteRows(
  connection: Connection,
  key: PgColumn,
  condition: SQL | undefined,
  limit: number,
): Promise<number> {
  const chosen = connection.select({ key }).from(key.table).where(condition).limit(limit).for("update", { skipLocked: true });
  // An array is made once. PostgreSQL may repeat a list of `in` for each row, and would then choose others each time.
  const { rowCount } = await connection.delete(key.table).where(sql`${key} = any(array(${chosen}))`);
  return rowCount ?? 0;
}
