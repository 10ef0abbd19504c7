import { lt, sql } from "drizzle-orm";
import type { PackageType } from "#domain/packages";
import type { CryptoType, QuotedMethod } from "#domain/payment-methods/methods";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection } from "../../../platform/db/database.ts";
import { ownAmounts, paymentRequests } from "../../../platform/db/schema.ts";
import { deleteRows } from "../../../platform/retention/delete-rows.ts";

/** Seconds an amount stays with an ended quote whatever happens: a submit may have begun before the end. */
// Stryker disable next-line Limit: a second more is as good.
const graceSeconds = 300;

/** Seconds a rejected request keeps its amount, since it may be submitted again. */
const rejectedSeconds = 7 * 24 * 3600;

/** For whom an amount is, and for how long. */
export interface AmountHolder {
  userId: string;
  packageType: PackageType;
  now: Date;
  /** The end of the quote. */
  until: Date;
  /** Amounts of the same student's quotes that ended before this are used again. */
  endedBefore: Date;
  /** The methods of the quote that this one replaces, which may still be open. */
  replaced: readonly QuotedMethod[];
}

export interface CandidateAmount {
  crypto_type: CryptoType;
  destination: string;
  base_amount: string;
  amount: string;
}

type Reserved = Pick<CandidateAmount, "crypto_type" | "amount">;

const amountsByType = (rows: Reserved[]): Map<CryptoType, string> =>
  new Map(rows.map(({ crypto_type, amount }) => [crypto_type, amount]));

/**
 * Returns the amounts that the same student has for the package, the same figures and destination from a quote that ended or is
 * replaced, and that no request of the student has; held from now on until the new quote's end. Of two quotes at once only one gets an amount.
 */
export async function claimOwnAmounts(
  connection: Connection,
  { userId, packageType, endedBefore, until, replaced }: AmountHolder,
  wanted: readonly QuotedMethod[],
): Promise<Map<CryptoType, string>> {
  // Stryker disable next-line ConditionFalse: saves a query that would find nothing.
  if (wanted.length === 0) return new Map();
  const types = wanted.map(({ crypto_type }) => crypto_type);
  const former = types.map((type) => replaced.find(({ crypto_type }) => crypto_type === type)?.amount_crypto ?? null);
  const mayBeClaimed = sql`(held_until <= ${endedBefore} or amount = replaced)`;
  const { rows } = await connection.execute<Reserved & Record<string, unknown>>(sql`
    update ${ownAmounts} set held_until = greatest(held_until, ${until})
    from (
      select distinct on (crypto_type) crypto_type as of_type, destination as of_destination, amount as of_amount, replaced
      from ${ownAmounts} join unnest(
        ${sql.param(types)}::text[],
        ${sql.param(wanted.map(({ wallet_address }) => wallet_address))}::text[],
        ${sql.param(wanted.map(({ amount_crypto }) => amount_crypto))}::numeric[],
        ${sql.param(former)}::numeric[]
      ) as wanted (crypto_type, destination, base_amount, replaced) using (crypto_type, destination, base_amount)
      where user_id = ${userId} and package_type = ${packageType} and ${mayBeClaimed}
        and not exists (
          select from ${paymentRequests} as used
          where used.user_id = ${userId} and (destination, ${ownAmounts.amount}) in (
            (used.wallet_address, used.amount_crypto), (used.earlier_wallet_address, used.earlier_amount_crypto)
          )
        )
      order by crypto_type, amount = replaced desc nulls last, amount
    ) as own
    where crypto_type = of_type and destination = of_destination and amount = of_amount and ${mayBeClaimed}
    returning crypto_type, amount`);
  return amountsByType(rows);
}

/**
 * Reserves one amount of each method among the candidates: the first that nobody had, else, if it may be reused, the one whose quote ended longest ago.
 * Returns them, without the methods of which all candidates are in use or were taken at the same time.
 */
export async function insertFreeAmounts(
  connection: Connection,
  { userId, packageType, now, until }: AmountHolder,
  candidates: readonly CandidateAmount[],
  mayReuse: boolean,
): Promise<Map<CryptoType, string>> {
  const freeBefore = secondsAfter(now, -graceSeconds);
  const keptAfter = secondsAfter(now, -rejectedSeconds);
  const isKept = sql`(status = 'pending' or (status = 'rejected' and decided_at > ${keptAfter}))`;
  const column = (name: keyof CandidateAmount) => sql.param(candidates.map((candidate) => candidate[name]));
  const { rows } = await connection.execute<Reserved & Record<string, unknown>>(sql`
    insert into ${ownAmounts} (crypto_type, destination, base_amount, amount, user_id, package_type, held_until)
    select distinct on (free.crypto_type) free.crypto_type, free.destination, free.base_amount, free.amount,
      ${userId}::uuid, ${packageType}, ${until}::timestamptz
    from unnest(
      ${column("crypto_type")}::text[], ${column("destination")}::text[], ${column("base_amount")}::numeric[], ${column("amount")}::numeric[]
    ) with ordinality as free (crypto_type, destination, base_amount, amount, place)
    left join ${ownAmounts} as former using (crypto_type, destination, amount)
    where (former.held_until is null or (${mayReuse} and former.held_until <= ${freeBefore}))
      and not exists (
        select from ${paymentRequests} where wallet_address = free.destination and amount_crypto = free.amount and ${isKept}
      )
      and not exists (
        select from ${paymentRequests}
        where earlier_wallet_address = free.destination and earlier_amount_crypto = free.amount and ${isKept}
      )
    order by free.crypto_type, former.held_until nulls first, free.place
    on conflict (crypto_type, destination, amount) do update
    set base_amount = excluded.base_amount, user_id = excluded.user_id, package_type = excluded.package_type, held_until = excluded.held_until
    where ${ownAmounts.held_until} <= ${freeBefore}
    returning crypto_type, amount`);
  return amountsByType(rows);
}

/** Deletes at most `limit` amounts of quotes that ended before `time`; returns how many. */
export function deleteAmountsEndedBefore(connection: Connection, time: Date, limit: number): Promise<number> {
  return deleteRows(connection, ownAmounts, lt(ownAmounts.held_until, time), limit);
}
