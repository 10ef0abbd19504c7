import { and, desc, eq, gt, gte, inArray, isNull, lt, lte, notExists, sql } from "drizzle-orm";
import { clockToleranceSeconds } from "#domain/clock-tolerance";
import type { RecordedChange } from "#domain/guard/changes";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { guardedChanges, paymentRequests, quotes, walletSettings } from "../../../platform/db/schema.ts";
import { deleteRows } from "../../../platform/retention/delete-rows.ts";

export type GuardedChangeRow = typeof guardedChanges.$inferSelect;

export async function insertChange(tx: Transaction, change: typeof guardedChanges.$inferInsert): Promise<void> {
  await tx.insert(guardedChanges).values(change);
}

/** Returns the changes that can be undone at a time or were undone and could be, newest first. */
export function findAllUndoable(connection: Connection, now: Date): Promise<GuardedChangeRow[]> {
  return connection.select().from(guardedChanges).where(gt(guardedChanges.undo_until, now)).orderBy(desc(guardedChanges.id));
}

/** Returns every change since a time. */
export function findAllSince(connection: Connection, time: Date): Promise<RecordedChange[]> {
  const { id, at, fields } = guardedChanges;
  return connection.select({ id, at, fields }).from(guardedChanges).where(gte(at, time)).orderBy(id);
}

export async function findByToken(connection: Connection, tokenHash: Buffer): Promise<GuardedChangeRow | undefined> {
  const [row] = await connection.select().from(guardedChanges).where(eq(guardedChanges.undo_token_hash, tokenHash));
  return row;
}

/** Marks changes as undone, whose links then no longer work. The clock of the process that made them may be ahead. */
export async function markUndone(tx: Transaction, ids: number[], at: Date): Promise<void> {
  await tx
    .update(guardedChanges)
    .set({ undone_at: sql`greatest(${at.toISOString()}::timestamptz, ${guardedChanges.at})` })
    .where(and(inArray(guardedChanges.id, ids), isNull(guardedChanges.undone_at)));
}

/** Returns how many quotes are open: neither expired, void, used by a request nor made while the clock was ahead. */
export async function countOpenQuotes(connection: Connection, now: Date): Promise<number> {
  const [row] = await connection
    .select({ count: sql<number>`count(*)::integer` })
    .from(quotes)
    .innerJoin(walletSettings, eq(walletSettings.quote_generation, quotes.generation))
    .where(
      and(
        gt(quotes.expires_at, now),
        lte(quotes.created_at, secondsAfter(now, clockToleranceSeconds)),
        notExists(connection.select().from(paymentRequests).where(eq(paymentRequests.quote_id, quotes.id))),
      ),
    );
  return row!.count;
}

/** Deletes changes made before a time, at most `limit`; returns how many. */
export function deleteOldChanges(connection: Connection, before: Date, limit: number): Promise<number> {
  return deleteRows(connection, guardedChanges, lt(guardedChanges.at, before), limit);
}
