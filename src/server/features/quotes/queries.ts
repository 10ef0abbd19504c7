import { and, desc, eq, lt, notExists, sql } from "drizzle-orm";
import type { Connection } from "../../platform/db/database.ts";
import { paymentRequests, profiles, quotes } from "../../platform/db/schema.ts";

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

/** The same student's quotes for the same package that have ended by a moment, newest first. */
export function endedBefore(connection: Connection, quote: QuoteRow, moment: Date, limit: number): Promise<QuoteRow[]> {
  return connection
    .select()
    .from(quotes)
    .where(and(eq(quotes.user_id, quote.user_id), eq(quotes.package_type, quote.package_type), lt(quotes.expires_at, moment)))
    .orderBy(desc(quotes.expires_at))
    .limit(limit);
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

/**
 * USD of the newest approved Starter payment of somebody who has Starter now, of a late one the lesser of what it asks for and what
 * the student says they sent; undefined when there is none, or when an Advanced payment was approved after it and so has had the
 * credit.
 */
export async function paidForStarter(connection: Connection, userId: string): Promise<string | undefined> {
  const [row] = await connection
    .select({ amount_usd: sql<string>`least(${paymentRequests.amount_usd}, ${paymentRequests.earlier_amount_usd})` })
    .from(paymentRequests)
    .innerJoin(profiles, and(eq(profiles.id, paymentRequests.user_id), eq(profiles.subscription_status, "starter")))
    .where(
      and(
        eq(paymentRequests.user_id, userId),
        eq(paymentRequests.package_type, "starter"),
        eq(paymentRequests.status, "approved"),
        sql`not exists (select 1 from payment_requests later where later.user_id = ${userId} and later.package_type = 'advanced'
          and later.status = 'approved' and later.decided_at > ${paymentRequests.decided_at})`,
      ),
    )
    .orderBy(desc(paymentRequests.decided_at))
    .limit(1);
  return row?.amount_usd;
}
