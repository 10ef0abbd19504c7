import { and, desc, eq, getTableColumns, gt, gte, lt, ne, notExists, notInArray, or, sql, type SQLWrapper } from "drizzle-orm";
import type { PackageType } from "#domain/packages";
import type { Connection } from "../../platform/db/database.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { paymentRequests, profiles, quotes, walletSettings } from "../../platform/db/schema.ts";

export type QuoteRow = typeof quotes.$inferSelect;

/**
 * Stores and returns a quote, and deletes the same student's quotes that ended before `forgottenBefore` and that no payment request used
 * (QUOTE-6): a submit needs a newer quote, so it can never name one of these.
 */
export async function insertQuote(
  connection: Connection,
  quote: typeof quotes.$inferInsert,
  forgottenBefore: Date,
): Promise<QuoteRow> {
  // Stryker disable next-line ObjectLiteral: what is selected does not matter to "exists".
  const some = connection.select({ id: paymentRequests.id }).from(paymentRequests);
  const isUsed = some.where(eq(paymentRequests.quote_id, quotes.id));
  const isForgotten = and(eq(quotes.user_id, quote.user_id), lt(quotes.expires_at, forgottenBefore), notExists(isUsed));
  const forgotten = connection.$with("forgotten").as(connection.delete(quotes).where(isForgotten));
  const [row] = await connection.with(forgotten).insert(quotes).values(quote).returning();
  return row!;
}

const quoteOfUser = prepared((connection) => {
  const is_void = sql<boolean>`${quotes.generation} < (select ${walletSettings.quote_generation} from ${walletSettings})`;
  return connection
    .select({ ...getTableColumns(quotes), is_void })
    .from(quotes)
    .where(and(eq(quotes.id, sql.placeholder("quoteId")), eq(quotes.user_id, sql.placeholder("userId"))))
    .prepare("quote_of_user");
});

/** Returns a quote of this student, and whether it was ended early (GUARD-4). */
export async function findByIdAndUser(
  connection: Connection,
  quoteId: string,
  userId: string,
): Promise<(QuoteRow & { is_void: boolean }) | undefined> {
  const [row] = await quoteOfUser(connection).execute({ quoteId, userId });
  return row;
}

const openRequests = prepared((connection) => {
  const isOpen = and(
    eq(paymentRequests.user_id, sql.placeholder("userId")),
    eq(paymentRequests.package_type, sql.placeholder("packageType")),
    eq(paymentRequests.status, "pending"),
  );
  // Stryker disable next-line ObjectLiteral: whether there is a row matters, not what it has.
  return connection.select({ id: paymentRequests.id }).from(paymentRequests).where(isOpen).prepare("open_requests");
});

/** Returns whether a student has a pending payment request for a package. */
export async function existsOpenRequest(connection: Connection, userId: string, packageType: PackageType): Promise<boolean> {
  const rows = await openRequests(connection).execute({ userId, packageType });
  return rows.length > 0;
}

const otherQuotes = prepared((connection) => {
  // Ends at a quote that ended, since those before it ended earlier.
  const replaced = sql`(
    with recursive line as (
      select id, replaces from quotes where id = ${sql.placeholder("replaces")}::uuid
      union
      select former.id, former.replaces from quotes former
      join line on line.replaces = former.id and former.expires_at >= ${sql.placeholder("time")}::timestamptz
    )
    select id from line)`;
  return connection
    .select()
    .from(quotes)
    .where(
      and(
        eq(quotes.user_id, sql.placeholder("userId")),
        eq(quotes.package_type, sql.placeholder("packageType")),
        ne(quotes.id, sql.placeholder("id")),
        gte(quotes.expires_at, sql.placeholder("forgottenBefore")),
        or(
          lt(quotes.expires_at, sql.placeholder("time")),
          gt(quotes.created_at, sql.placeholder("madeBy")),
          lt(quotes.generation, sql.placeholder("generation")),
          notInArray(quotes.id, replaced),
        ),
      ),
    )
    .orderBy(desc(quotes.expires_at))
    .limit(sql.placeholder("limit"))
    .prepare("other_quotes");
});

interface OtherQuotesOptions {
  time: Date;
  madeBy: Date;
  forgottenBefore: Date;
  limit: number;
}

/**
 * Returns the same student's other quotes for the same package, newest first, without those that ended before `forgottenBefore`. Those that
 * its page has replaced one after the other are left out unless they are void, ended before `time`, or were made after `madeBy`, by a clock
 * that was ahead.
 */
export function findAllOthers(connection: Connection, quote: QuoteRow, options: OtherQuotesOptions): Promise<QuoteRow[]> {
  const { id, user_id: userId, package_type: packageType, generation, replaces } = quote;
  return otherQuotes(connection).execute({ id, userId, packageType, generation, replaces, ...options });
}

/** Ends a student's open quotes that take off what was paid for Starter. */
export async function endOpenWithCredit(connection: Connection, userId: string, now: Date): Promise<void> {
  await connection
    .update(quotes)
    // A quote ends after it begins (quotes_expiry).
    .set({ expires_at: sql`greatest(${now.toISOString()}::timestamptz, ${quotes.created_at} + interval '1 microsecond')` })
    .where(and(eq(quotes.user_id, userId), gt(quotes.expires_at, now), gt(quotes.upgrade_credit_usd, "0")));
}

/**
 * Returns the USD that a student whose tier is Starter has paid for it, by the newest approved payment:
 * - of a short payment the share that arrived, rounded down to the cent,
 * - of a late payment the lesser of its price and what the student says they sent, unless a rest was asked for.
 * Undefined when there is none, or when an approved Advanced payment has used a credit. Which of them was decided last does not matter: a
 * reopened Starter payment is decided again.
 */
export async function findPaidForStarter(connection: Connection, userId: string): Promise<string | undefined> {
  const { amount_usd, amount_crypto, amount_received } = paymentRequests;
  // A late payer's amount due is that of the earlier quote; a rest is counted from the present one (PART-3).
  // The decision keeps that a rest was still asked for; once it is sent, it is a part.
  const hasRest = sql`(
    exists (select from payment_decisions where request_id = ${paymentRequests.id} and rest_asked_at is not null)
    or exists (select from payment_request_parts where payment_request_id = ${paymentRequests.id}))`;
  const unlessRest = (column: SQLWrapper) => sql`case when not ${hasRest} then ${column} end`;
  const earlierUsd = unlessRest(paymentRequests.earlier_amount_usd);
  const due = sql`coalesce(${unlessRest(paymentRequests.earlier_amount_crypto)}, ${amount_crypto})`;
  const share = sql`case when ${amount_received} < ${due}
    then trunc(coalesce(${earlierUsd}, ${amount_usd}) * ${amount_received} / ${due}, 2) end`;
  const [row] = await connection
    .select({ amount_usd: sql<string>`least(${amount_usd}, ${earlierUsd}, ${share})` })
    .from(paymentRequests)
    .innerJoin(profiles, and(eq(profiles.id, paymentRequests.user_id), eq(profiles.subscription_status, "starter")))
    .where(
      and(
        eq(paymentRequests.user_id, userId),
        eq(paymentRequests.package_type, "starter"),
        eq(paymentRequests.status, "approved"),
        sql`not exists (select 1 from payment_requests used
          where used.user_id = ${userId} and used.status = 'approved' and used.upgrade_credit_usd > 0)`,
      ),
    )
    .orderBy(desc(paymentRequests.decided_at))
    .limit(1);
  return row?.amount_usd;
}
