import { and, sql } from "drizzle-orm";
import type { Connection } from "../db/database.ts";
import { isNotEnded } from "../db/session-lifetime.ts";
import { sessions } from "../db/schema.ts";

/** Returns which of these sessions were not ended and began after `startedAfter`. */
export async function findAllOpenSessions(connection: Connection, ids: string[], startedAfter: Date): Promise<string[]> {
  const rows = await connection
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(sql`${sessions.id} = any(${sql.param(ids)}::uuid[])`, isNotEnded(startedAfter)));
  return rows.map(({ id }) => id);
}
