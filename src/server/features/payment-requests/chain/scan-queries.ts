import { and, asc, between, eq, gt, gte, isNotNull, isNull, lt, lte, ne, notInArray, or, sql } from "drizzle-orm";
import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { deleteRows } from "../../../platform/retention/delete-rows.ts";
import {
  chainLookups,
  ethereumDestinations,
  ethereumScan,
  ethereumTransfers,
  paymentRequests,
} from "../../../platform/db/schema.ts";

export type ScanRow = typeof ethereumScan.$inferSelect;
export type ScanChanges = Partial<Omit<ScanRow, "id">>;
export type TransferRow = typeof ethereumTransfers.$inferSelect;

/** A destination of requests that are looked up, with the time since when its payments are sought. */
export interface Awaited {
  destination: string;
  since: Date;
}

/**
 * Returns each since its earliest quote, but not since before `keptSince`: older transfers are deleted (KEEP-1). Where the student named a
 * transaction, blocks are read for repeated payments alone (CHAIN-5), and an old request would hold up all others: of it only since a day before.
 */
export async function findAllAwaited(connection: Connection, keptSince: Date): Promise<Awaited[]> {
  const { reference, created_at, status } = paymentRequests;
  const earliest = sql<Date>`min(case when ${reference} is null then ${chainLookups.since}
    else greatest(${chainLookups.since}, ${created_at} - interval '1 day') end)`;
  const rows = await connection
    .select({ destination: chainLookups.destination, since: earliest.mapWith(chainLookups.since) })
    .from(chainLookups)
    .innerJoin(paymentRequests, eq(paymentRequests.id, chainLookups.request_id))
    .where(and(eq(chainLookups.coin, "ethereum"), isNotNull(chainLookups.next_at), ne(status, "rejected")))
    .groupBy(chainLookups.destination);
  // Stryker disable next-line Boundary: of equal times either is right.
  return rows.map(({ destination, since }) => ({ destination, since: since > keptSince ? since : keptSince }));
}

/**
 * Claims the reading of blocks until `leaseEnd`, which no other lease or wait lasts beyond; undefined while another process reads, or before
 * the next reading is due.
 */
export async function claimScan(connection: Connection, now: Date, leaseEnd: Date): Promise<ScanRow | undefined> {
  const { due_at } = ethereumScan;
  const [row] = await connection
    .update(ethereumScan)
    .set({ due_at: leaseEnd })
    .where(or(isNull(due_at), lte(due_at, now), gt(due_at, secondsAfter(leaseEnd, clockToleranceSeconds))))
    .returning();
  return row;
}

/** Changes the reading of the run whose lease ends then; false when another run has claimed it since. */
export async function updateScan(connection: Connection, leaseEnd: Date, changes: ScanChanges): Promise<boolean> {
  const { rowCount } = await connection.update(ethereumScan).set(changes).where(eq(ethereumScan.due_at, leaseEnd));
  return rowCount === 1;
}

/** Returns since when every block was read, by destination. */
export async function findAllRead(connection: Connection): Promise<Map<string, Date>> {
  const rows = await connection.select().from(ethereumDestinations);
  return new Map(rows.map(({ destination, read_since }) => [destination, read_since]));
}

/** Returns whether every block since a time was read for a destination, and up to the newest one between the times of `tip`. */
export async function existsRead(
  connection: Connection,
  destination: string,
  since: Date,
  tip: { after: Date; before: Date },
): Promise<boolean> {
  const isRead = and(eq(ethereumDestinations.destination, destination), lte(ethereumDestinations.read_since, since));
  const rows = await connection
    .select({ tip_at: ethereumScan.tip_at })
    .from(ethereumScan)
    .innerJoin(ethereumDestinations, isRead)
    .where(between(ethereumScan.tip_at, tip.after, tip.before));
  return rows.length > 0;
}

/** Forgets that other destinations were read. */
export async function deleteReadExcept(connection: Connection, destinations: string[]): Promise<void> {
  await connection.delete(ethereumDestinations).where(notInArray(ethereumDestinations.destination, destinations));
}

/** Stores since when destinations are read. */
export async function upsertRead(tx: Transaction, read: { destination: string; read_since: Date }[]): Promise<void> {
  await tx
    .insert(ethereumDestinations)
    .values(read)
    .onConflictDoUpdate({ target: ethereumDestinations.destination, set: { read_since: sql`excluded.read_since` } });
}

/** Inserts transfers; those of blocks that were read before replace the earlier ones. */
export async function upsertTransfers(connection: Connection, transfers: TransferRow[]): Promise<void> {
  if (transfers.length === 0) return;
  await connection
    .insert(ethereumTransfers)
    .values(transfers)
    .onConflictDoUpdate({ target: ethereumTransfers.transaction_id, set: { at: sql`excluded.at` } });
}

/** Returns the transfers of exactly an amount to a destination since a time, the oldest first. */
export function findAllTransfers(
  connection: Connection,
  { destination, amount, since }: { destination: string; amount: string; since: Date },
  limit: number,
): Promise<TransferRow[]> {
  const isOfAmount = and(
    eq(ethereumTransfers.destination, destination),
    eq(ethereumTransfers.amount, amount),
    gte(ethereumTransfers.at, since),
  );
  return connection
    .select()
    .from(ethereumTransfers)
    .where(isOfAmount)
    .orderBy(asc(ethereumTransfers.at), asc(ethereumTransfers.transaction_id))
    .limit(limit);
}

/** Returns the other transfers of the same amount by the same sender to the same destination since a time. */
export async function findAllRepeated(connection: Connection, id: string, since: Date, limit: number): Promise<TransferRow[]> {
  const [first] = await connection.select().from(ethereumTransfers).where(eq(ethereumTransfers.transaction_id, id));
  if (!first) return [];
  return connection
    .select()
    .from(ethereumTransfers)
    .where(
      and(
        eq(ethereumTransfers.destination, first.destination),
        eq(ethereumTransfers.amount, first.amount),
        eq(ethereumTransfers.sender, first.sender),
        ne(ethereumTransfers.transaction_id, id),
        gte(ethereumTransfers.at, since),
      ),
    )
    .limit(limit);
}

/** Deletes at most `limit` transfers of blocks before a time and returns how many. */
export function deleteTransfersBefore(connection: Connection, time: Date, limit: number): Promise<number> {
  return deleteRows(connection, ethereumTransfers, lt(ethereumTransfers.at, time), limit);
}
