import { sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { lockKeys } from "../db/locks.ts";

/** Returns whether a backup is being written of this database, by any process. */
export async function isBackupRunning(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${lockKeys.backup}) as free`,
  );
  return rows[0]?.free !== true;
}
