import { and, inArray, sql, type SQL } from "drizzle-orm";
import type { PackageType } from "#domain/packages";
import type { Connection } from "../../platform/db/database.ts";
import {
  bitcoinAddresses,
  bitcoinKeys,
  guardedChanges,
  paymentRequestParts,
  paymentRequests,
  walletSettings,
} from "../../platform/db/schema.ts";
import { isTransaction } from "../../platform/db/transaction.ts";

/** For whom an address is, and for how long. */
export interface AddressHolder {
  userId: string;
  packageType: PackageType;
  now: Date;
  /** The end of the quote. */
  until: Date;
  /** Addresses of the same student's quotes that ended before this are used again. */
  endedBefore: Date;
  /** The address of the quote that this one replaces, which may still be open. */
  replaced: string | undefined;
}

/**
 * Returns the number of the key's next address, from 0 on. The counter is no sequence, which skips up to 32 numbers when PostgreSQL
 * crashes, more than wallets look ahead. It is not synced to disk by itself, so that quotes do not wait for each other's disk:
 * PostgreSQL writes in order, so a quote that was stored has its number stored before it. As a part of a transaction it is synced with it.
 */
export async function incrementIndex(connection: Connection, key: string): Promise<number> {
  const notSynced = sql`from (select set_config('synchronous_commit', 'off', true)) as not_synced`;
  const { rows } = await connection.execute<{ index: number }>(sql`
    insert into ${bitcoinKeys} (xpub, next_index)
    select ${key}, 1 ${isTransaction(connection) ? sql`` : notSynced}
    on conflict (xpub) do update set next_index = ${bitcoinKeys.next_index} + 1
    returning next_index - 1 as index`);
  return rows[0]!.index;
}

/** Condition that an address is neither the settings' single one nor that of a payment request or its rest. */
export const isUnused = (address: SQL): SQL => sql`
  not exists (select from ${walletSettings} where bitcoin_address = ${address})
  and not exists (select from ${paymentRequests} where wallet_address = ${address})
  and not exists (select from ${paymentRequests} where earlier_wallet_address = ${address})
  and not exists (select from ${paymentRequests} where rest_destinations <> '{}' and rest_destinations @> array[${address}])`;

/** Whether an address was not the settings' single one in the last 30 days: other students may still pay to that. */
export const wasNotSingle = (address: SQL): SQL => sql`not exists (
  select from ${guardedChanges} where ${address} in (fields->'bitcoin_address'->>'before', fields->'bitcoin_address'->>'after'))`;

/** Returns whether an address may be given, since nobody was told to pay there. */
export async function isAddressUnused(connection: Connection, address: string): Promise<boolean> {
  const one = sql`${address}::text`;
  const { rows } = await connection.execute<{ is_unused: boolean }>(
    sql`select ${isUnused(one)} and ${wasNotSingle(one)} as is_unused`,
  );
  return rows[0]!.is_unused;
}

/** Stores an address that was given. Throws on the foreign key of a deleted account. */
export async function insertAddress(connection: Connection, row: typeof bitcoinAddresses.$inferInsert): Promise<void> {
  await connection.insert(bitcoinAddresses).values(row);
}

/**
 * Returns an unused address that the same student has for the package from a quote that ended or is replaced, held from now on until the
 * new quote's end. Of two quotes at once only one gets it.
 */
export async function claimOwnAddress(connection: Connection, key: string, holder: AddressHolder): Promise<string | undefined> {
  const { userId, packageType, endedBefore, until, replaced = null } = holder;
  const { rows } = await connection.execute<{ address: string }>(sql`
    update ${bitcoinAddresses} set held_until = greatest(held_until, ${until})
    where (xpub, index) = (
      select own.xpub, own.index from ${bitcoinAddresses} as own
      where own.user_id = ${userId} and own.package_type = ${packageType} and own.xpub = ${key}
        and (own.held_until <= ${endedBefore} or own.address = ${replaced})
        and ${isUnused(sql`own.address`)}
      order by own.address = ${replaced} desc nulls last, own.index
      limit 1
      for update skip locked
    )
    returning address`);
  return rows[0]?.address;
}

/** Returns those of the addresses that were given from a key. */
export async function findAllOfKey(connection: Connection, key: string, addresses: string[]): Promise<ReadonlySet<string>> {
  // Stryker disable next-line ConditionFalse,LeftOperand,RightOperand,LogicalOperator,StringLiteral: saves a query that would find nothing.
  if (key === "" || addresses.length === 0) return new Set();
  const rows = await connection
    .select({ address: bitcoinAddresses.address })
    .from(bitcoinAddresses)
    .where(sql`${bitcoinAddresses.xpub} = ${key} and ${inArray(bitcoinAddresses.address, addresses)}`);
  return new Set(rows.map(({ address }) => address));
}

/**
 * Returns those of the addresses that were given to a student, from any key, and that no other student's payment request or its rest has: the
 * owner may have had all students pay to an address that was given.
 */
export async function findAllGiven(connection: Connection, userId: string | null, addresses: string[]): Promise<string[]> {
  const isOthers = sql`user_id is distinct from ${bitcoinAddresses.user_id}`;
  const rows = await connection
    .select({ address: bitcoinAddresses.address })
    .from(bitcoinAddresses)
    .where(
      and(
        inArray(bitcoinAddresses.address, addresses),
        sql`${bitcoinAddresses.user_id} is not distinct from ${userId}::uuid`,
        sql`not exists (select from ${paymentRequests} where wallet_address = ${bitcoinAddresses.address} and ${isOthers})`,
        sql`not exists (select from ${paymentRequests} where earlier_wallet_address = ${bitcoinAddresses.address} and ${isOthers})`,
        sql`not exists (
          select from ${paymentRequests}
          where rest_destinations <> '{}' and rest_destinations @> array[${bitcoinAddresses.address}] and ${isOthers}
        )`,
      ),
    );
  return rows.map(({ address }) => address);
}

/** Returns how many addresses of a key were given since the last one to which a payment request that was not rejected, or a further part of it, paid (WALLET-5). */
export async function countUnused(connection: Connection, key: string): Promise<number> {
  const { rows } = await connection.execute<{ count: number }>(sql`
    select next_index - coalesce((
      select index + 1 from ${bitcoinAddresses} as given
      where given.xpub = ${bitcoinKeys.xpub}
        and (
          exists (select from ${paymentRequests} where wallet_address = given.address and status <> 'rejected')
          or exists (
            select from ${paymentRequestParts} as part join ${paymentRequests} as request on request.id = part.payment_request_id
            where part.wallet_address = given.address and request.status <> 'rejected'
          )
        )
      order by index desc limit 1
    ), 0) as count from ${bitcoinKeys} where xpub = ${key}`);
  return rows[0]?.count ?? 0;
}
