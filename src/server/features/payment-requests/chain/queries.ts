import { and, asc, eq, inArray, lte, ne, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { PaymentStatus } from "#domain/payments/payment-request";
import type { Coin } from "#domain/payment-methods/settings";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { lock, lockKeys } from "../../../platform/db/locks.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { chainLookups, chainPayments, paymentRequests } from "../../../platform/db/schema.ts";
import { retentionSeconds } from "../../../platform/retention/periods.ts";
import type { OtherRow } from "../evidence/queries.ts";

export type LookupRow = typeof chainLookups.$inferSelect;

/** A transaction that counts for a request, and where it arrived. */
export type Payment = Pick<typeof chainPayments.$inferSelect, "transaction_id" | "destination">;

/** Returns the id of the oldest pending request of a coin that was never looked up. */
export async function findNeverLookedUp(connection: Connection, coin: Coin): Promise<string | undefined> {
  // Stryker disable next-line ObjectLiteral: what is selected does not matter to "exists".
  const some = connection.select({ id: chainLookups.request_id }).from(chainLookups);
  const lookedUp = some.where(eq(chainLookups.request_id, paymentRequests.id));
  const isNew = and(eq(paymentRequests.status, "pending"), eq(paymentRequests.crypto_type, coin), notExists(lookedUp));
  const [request] = await connection
    .select({ id: paymentRequests.id })
    .from(paymentRequests)
    .where(isNew)
    .orderBy(asc(paymentRequests.created_at))
    .limit(1);
  return request?.id;
}

/** Inserts the lookup of a request, due at once; does nothing where it has one. */
export async function insertLookup(
  connection: Connection,
  lookup: Pick<LookupRow, "request_id" | "coin" | "destination" | "since" | "next_at">,
): Promise<void> {
  await connection.insert(chainLookups).values(lookup).onConflictDoNothing();
}

/**
 * Returns since when a payment may have been sent: since the first quote with the figures that the student says they paid by (QUOTE-6), else
 * with those of the request; a page that renews a quote keeps its figures. At an address of `ownAddresses` the amount does not matter: nobody else
 * was asked to pay there. A resubmitted request has the time of its first one, whose lookup keeps it after its quotes are deleted. A quote
 * that is deleted, or of a clock that was ahead, counts as 30 minutes older than its request.
 */
export async function findLookupStart(connection: Connection, requestId: string, ownAddresses: string[]): Promise<Date> {
  const { rows } = await connection.execute<{ quoted_at: string }>(sql`
    with recursive line as (
      select * from payment_requests where id = ${requestId}
      union all
      select earlier.* from payment_requests earlier join line on earlier.id = line.resubmits
    )
    select min(least(
      case when base.quoted_at <= line.created_at then base.quoted_at else line.created_at - interval '30 minutes' end,
      same.created_at, lookups.since
    )) as quoted_at
    from line
    left join quotes on quotes.id = line.quote_id
    cross join lateral (select coalesce(line.earlier_quoted_at, quotes.created_at) as quoted_at) as base
    left join chain_lookups lookups on lookups.request_id = line.id
    left join quotes same on same.user_id = line.user_id and same.package_type = line.package_type
      -- For ether without a reference every block since then is read, and the lookups of others wait for it.
      and same.expires_at >= case when line.crypto_type = 'ethereum' and line.reference is null
        then least(line.earlier_quoted_at, line.created_at) - interval '1 day'
        else line.created_at - ${retentionSeconds.endedQuotes} * interval '1 second' end
      and same.methods @> jsonb_build_array(jsonb_build_object(
        'crypto_type', line.crypto_type,
        'wallet_address', coalesce(line.earlier_wallet_address, line.wallet_address)
      ) || case when coalesce(line.earlier_wallet_address, line.wallet_address) = any(${sql.param(ownAddresses)}::text[]) then '{}'
        else jsonb_build_object('amount_crypto', coalesce(line.earlier_amount_crypto, line.amount_crypto)::text) end)`);
  return new Date(rows[0]!.quoted_at);
}

/**
 * Claims the lookup that is due the longest for one attempt, skipping what others claim at the same time. Those of rejected requests are left:
 * a process that was killed during the admin's check leaves one due (CHAIN-3).
 */
export async function claimDueLookup(
  connection: Connection,
  coin: Coin,
  { now, leaseEnd }: { now: Date; leaseEnd: Date },
): Promise<LookupRow | undefined> {
  const due = connection
    .select({ id: chainLookups.request_id })
    .from(chainLookups)
    .innerJoin(paymentRequests, eq(paymentRequests.id, chainLookups.request_id))
    .where(and(eq(chainLookups.coin, coin), lte(chainLookups.next_at, now), ne(paymentRequests.status, "rejected")))
    .orderBy(chainLookups.next_at)
    .limit(1)
    .for("update", { of: chainLookups, skipLocked: true });
  const [row] = await connection
    .update(chainLookups)
    .set({ attempts: sql`${chainLookups.attempts} + 1`, next_at: leaseEnd })
    .where(eq(chainLookups.request_id, sql`(${due})`))
    .returning();
  return row;
}

/** Claims the lookup of one request, whether it is due or not; a process that had it loses it. */
export async function claimLookup(connection: Connection, requestId: string, leaseEnd: Date): Promise<LookupRow | undefined> {
  const [row] = await connection
    .update(chainLookups)
    .set({ attempts: sql`${chainLookups.attempts} + 1`, next_at: leaseEnd })
    .where(eq(chainLookups.request_id, requestId))
    .returning();
  return row;
}

/** Makes the lookup of a request due, also one that had ended; an attempt that has it loses it. Does nothing before the first one. */
export async function wakeLookup(tx: Transaction, requestId: string, now: Date): Promise<void> {
  await tx
    .update(chainLookups)
    .set({ attempts: sql`${chainLookups.attempts} + 1`, next_at: now })
    .where(eq(chainLookups.request_id, requestId));
}

/** Changes a lookup that this attempt still has; false when another has it, or the request was decided meanwhile or is gone. */
export async function updateLookup(
  connection: Connection,
  { request_id, attempts }: Pick<LookupRow, "request_id" | "attempts">,
  changes: Partial<Pick<LookupRow, "facts" | "looked_at" | "failures" | "next_at">>,
): Promise<boolean> {
  const { rowCount } = await connection
    .update(chainLookups)
    .set(changes)
    .where(and(eq(chainLookups.request_id, request_id), eq(chainLookups.attempts, attempts)));
  return rowCount === 1;
}

/** Lets one lookup at a time decide which transaction counts for its request, until the transaction ends. */
export async function lockPayments(tx: Transaction): Promise<void> {
  await lock(tx, lockKeys.chainPayments);
}

/** Replaces the transactions that count for a request. */
export async function replacePayments(tx: Transaction, requestId: string, payments: Payment[]): Promise<void> {
  await tx.delete(chainPayments).where(eq(chainPayments.request_id, requestId));
  if (payments.length === 0) return;
  await tx.insert(chainPayments).values(payments.map((payment) => ({ request_id: requestId, ...payment })));
}

/**
 * Makes the lookups due that ended with a transaction of this request, of pending requests which found it by its amount: their own may still
 * come (CHAIN-3).
 */
export async function wakeSharing(tx: Transaction, requestId: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update chain_lookups set next_at = ${now.toISOString()}
    where next_at is null and facts->>'by' = 'amount' and request_id in (
      select other.request_id from chain_payments own
      join chain_payments other using (transaction_id, destination)
      join payment_requests on payment_requests.id = other.request_id
      where own.request_id = ${requestId} and other.request_id <> ${requestId} and payment_requests.status = 'pending'
    )`);
}

/** A transaction is used up by requests that may still be approved, or were. */
const usingStatuses: PaymentStatus[] = ["pending", "approved"];

/** Returns which of the transactions count at this destination for another pending or approved request. */
export async function findAllUsed(
  connection: Connection,
  { request_id, destination }: Pick<LookupRow, "request_id" | "destination">,
  ids: string[],
): Promise<Set<string>> {
  const rows = await connection
    .select({ id: chainPayments.transaction_id })
    .from(chainPayments)
    .innerJoin(paymentRequests, eq(paymentRequests.id, chainPayments.request_id))
    .where(
      and(
        inArray(chainPayments.transaction_id, ids),
        eq(chainPayments.destination, destination),
        ne(chainPayments.request_id, request_id),
        inArray(paymentRequests.status, usingStatuses),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

const uses = prepared((connection) => {
  const ownPayments = alias(chainPayments, "own_payments");
  return connection
    .selectDistinct({
      id: ownPayments.request_id,
      payment_request_id: paymentRequests.id,
      user_id: paymentRequests.user_id,
      email: paymentRequests.payer_email,
      status: paymentRequests.status,
      created_at: paymentRequests.created_at,
    })
    .from(ownPayments)
    .innerJoin(
      chainPayments,
      and(
        eq(chainPayments.transaction_id, ownPayments.transaction_id),
        eq(chainPayments.destination, ownPayments.destination),
        ne(chainPayments.request_id, ownPayments.request_id),
      ),
    )
    .innerJoin(paymentRequests, eq(paymentRequests.id, chainPayments.request_id))
    .where(
      and(
        sql`${ownPayments.request_id} = any(${sql.placeholder("requestIds")}::uuid[])`,
        inArray(paymentRequests.status, usingStatuses),
      ),
    )
    .orderBy(asc(paymentRequests.created_at))
    .prepare("chain_uses");
});

/** Returns, with the `id` of each request, the other pending or approved ones for which one of its transactions counts too, the oldest first. */
export function findAllUses(connection: Connection, requestIds: string[]): Promise<(OtherRow & { id: string })[]> {
  return uses(connection).execute({ requestIds });
}

const lookups = prepared((connection) =>
  connection
    .select()
    .from(chainLookups)
    .where(sql`${chainLookups.request_id} = any(${sql.placeholder("requestIds")}::uuid[])`)
    .prepare("chain_lookups"),
);

export function findAllLookups(connection: Connection, requestIds: string[]): Promise<LookupRow[]> {
  return lookups(connection).execute({ requestIds });
}
