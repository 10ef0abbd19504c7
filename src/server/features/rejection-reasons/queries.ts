import { asc, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { rejectionReasons } from "../../platform/db/schema.ts";

/** Returns the saved reasons in the order in which they are offered. */
export async function findAllReasons(connection: Connection): Promise<string[]> {
  const rows = await connection.select().from(rejectionReasons).orderBy(asc(rejectionReasons.position));
  return rows.map(({ reason }) => reason);
}

/** Makes changes of the saved reasons take turns; reading them does not wait. */
export async function lockReasons(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${rejectionReasons} in share row exclusive mode`);
}

export async function replaceAllReasons(tx: Transaction, reasons: string[]): Promise<void> {
  await tx.delete(rejectionReasons);
  if (reasons.length === 0) return;
  await tx.insert(rejectionReasons).values(reasons.map((reason, index) => ({ position: index + 1, reason })));
}
