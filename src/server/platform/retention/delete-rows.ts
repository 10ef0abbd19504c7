import { inArray, type SQL } from "drizzle-orm";
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
  const { rowCount } = await connection.delete(key.table).where(inArray(key, chosen));
  return rowCount ?? 0;
}
