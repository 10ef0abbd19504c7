import { and, eq, lt, notExists } from "drizzle-orm";
import type { Connection } from "../../platform/db/database.ts";
import { paymentRequests, quotes } from "../../platform/db/schema.ts";

export type QuoteRow = typeof quotes.$inferSelect;

export async function insert(connection: Connection, quote: typeof quotes.$inferInsert): Promise<QuoteRow> {
  const [row] = await connection.insert(quotes).values(quote).returning();
  return row!;
}

export async function findOwn(connection: Connection, quoteId: string, userId: string): Promise<QuoteRow | undefined> {
  const [row] = await connection
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, quoteId), eq(quotes.user_id, userId)));
  return row;
}

/** Quotes that nobody used and nobody can use any more. */
export async function removeUnusedBefore(connection: Connection, userId: string, moment: Date): Promise<void> {
  await connection
    .delete(quotes)
    .where(
      and(
        eq(quotes.user_id, userId),
        lt(quotes.expires_at, moment),
        notExists(connection.select().from(paymentRequests).where(eq(paymentRequests.quote_id, quotes.id))),
      ),
    );
}
