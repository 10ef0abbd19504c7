import { and, eq, inArray, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { lockKeys, tryLock } from "../../platform/db/locks.ts";
import { bitcoinAddresses, chainServices, paymentRequestParts, paymentRequests, quotes } from "../../platform/db/schema.ts";
import { isUnused, wasNotSingle, type AddressHolder } from "./queries.ts";

/** Whose addresses may be given again, by times before or since which something happened. */
export interface Reuse {
  /** The end of the last quote that has the address. */
  endedBefore: Date;
  /** The last answer of the chain. */
  askedSince: Date;
}

/**
 * Returns an address of the key that another student's quote had, held from now on by the new holder: one that the chain has nothing of.
 * Of two quotes at once only one gets it. Undefined also while the chain service fails.
 */
export async function claimFreeAddress(
  connection: Connection,
  key: string,
  { userId, packageType, now, until }: AddressHolder,
  { endedBefore, askedSince }: Reuse,
): Promise<string | undefined> {
  const { rows } = await connection.execute<{ address: string }>(sql`
    update ${bitcoinAddresses} set user_id = ${userId}, package_type = ${packageType}, given_at = ${now}, held_until = ${until}
    where (xpub, index) = (
      select free.xpub, free.index from ${bitcoinAddresses} as free
      where free.xpub = ${key} and not free.has_history and free.asked_at between ${askedSince} and ${now}
        and free.held_until < ${endedBefore}
        and ${isUnused(sql`free.address`)} and ${wasNotSingle(sql`free.address`)}
        and not exists (select from ${chainServices} where coin = 'bitcoin' and problem is not null)
      order by free.index
      limit 1
      for update skip locked
    )
    returning address`);
  return rows[0]?.address;
}

/** How many addresses are asked about. */
export interface Candidates extends Reuse {
  now: Date;
  /** Addresses that are free or asked about at the same time. */
  stock: number;
}

/**
 * Returns the oldest addresses of a key about which the chain is to be asked, marked as asked now: as many as the stock lacks. No quote or
 * payment request that a student can still name has them. Returns none while another process picks.
 */
export async function claimCandidates(
  tx: Transaction,
  key: string,
  { endedBefore, askedSince, now, stock }: Candidates,
): Promise<string[]> {
  if (!(await tryLock(tx, lockKeys.addressReuse))) return [];
  const { rows } = await tx.execute<{ address: string }>(sql`
    update ${bitcoinAddresses} set asked_at = ${now}, has_history = null
    -- An array is made once. PostgreSQL may repeat a list of "in" for each row, and would then pick others each time.
    where xpub = ${key} and index = any(array(
      select own.index from ${bitcoinAddresses} as own
      where own.xpub = ${key} and own.held_until < ${endedBefore} and own.has_history is not true
        and (own.asked_at is null or own.asked_at < ${askedSince})
        and not exists (select from ${paymentRequests} where wallet_address = own.address)
        and not exists (select from ${paymentRequests} where earlier_wallet_address = own.address)
        and not exists (select from ${paymentRequestParts} where wallet_address = own.address)
        and not exists (
          select from ${quotes} join ${paymentRequests} on quote_id = ${quotes.id}
          where ${quotes.user_id} = own.user_id and ${quotes.package_type} = own.package_type
            and methods @> jsonb_build_array(jsonb_build_object('wallet_address', own.address))
        )
      order by own.index
      limit greatest(0, ${stock} - (
        select count(*) from ${bitcoinAddresses}
        where xpub = ${key} and held_until < ${endedBefore} and has_history is not true and asked_at >= ${askedSince}
      ))
      for update skip locked
    ))
    returning address`);
  return rows.map(({ address }) => address);
}

/** Stores what the chain said of an address at a time, unless it was asked again since. */
export async function storeHistory(
  connection: Connection,
  address: string,
  asked_at: Date,
  has_history: boolean,
): Promise<void> {
  await connection
    .update(bitcoinAddresses)
    .set({ has_history })
    .where(and(eq(bitcoinAddresses.address, address), eq(bitcoinAddresses.asked_at, asked_at)));
}

/** Forgets that the chain was to be asked about addresses, so that the next run asks. */
export async function releaseCandidates(connection: Connection, addresses: string[], asked_at: Date): Promise<void> {
  await connection
    .update(bitcoinAddresses)
    .set({ asked_at: null })
    .where(and(inArray(bitcoinAddresses.address, addresses), eq(bitcoinAddresses.asked_at, asked_at)));
}
