import { and, eq, isNotNull, lt, notExists, or, sql } from "drizzle-orm";
import type { Connection } from "../../platform/db/database.ts";
import { accounts, paymentRequests, storedObjects } from "../../platform/db/schema.ts";

/** Whether a viewer, whose account must still be there, is the admin or the screenshot's owner (FILE-2). */
export async function mayOpenScreenshot(connection: Connection, viewerId: string, objectId: string): Promise<boolean> {
  const rows = await connection
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(storedObjects, eq(storedObjects.id, objectId))
    .where(
      and(
        eq(accounts.id, viewerId),
        isNotNull(accounts.email_verified_at),
        or(eq(accounts.role, "admin"), eq(storedObjects.owner_id, accounts.id)),
      ),
    );
  return rows.length === 1;
}

/** Screenshots made before a moment that no payment request has. */
export async function unusedScreenshots(connection: Connection, before: Date, limit: number): Promise<string[]> {
  const using = connection
    .select({ one: sql`1` })
    .from(paymentRequests)
    .where(eq(paymentRequests.screenshot_object_id, storedObjects.id));
  const rows = await connection
    .select({ id: storedObjects.id })
    .from(storedObjects)
    .where(and(eq(storedObjects.bucket, "payment-screenshots"), lt(storedObjects.created_at, before), notExists(using)))
    .limit(limit);
  return rows.map((row) => row.id);
}
