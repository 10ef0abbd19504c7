import { and, eq, gt, isNull, lte, or, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Coin } from "#domain/payment-methods/settings";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { coinPrices, publicPrices } from "../../../platform/db/schema.ts";

export type CoinPriceRow = typeof coinPrices.$inferSelect;
export type PublicPriceRow = typeof publicPrices.$inferSelect;

/** What is known of each coin's price, and the last reply of the service about it. */
export interface KnownPriceRow {
  own: CoinPriceRow;
  public: PublicPriceRow;
}

export async function findAllKnownPrices(connection: Connection): Promise<KnownPriceRow[]> {
  return connection
    .select({ own: coinPrices, public: publicPrices })
    .from(coinPrices)
    .innerJoin(publicPrices, eq(publicPrices.coin, coinPrices.coin))
    .orderBy(coinPrices.coin);
}

export async function findKnownPrice(connection: Connection, coin: Coin): Promise<KnownPriceRow> {
  return (await findAllKnownPrices(connection)).find(({ own }) => own.coin === coin)!;
}

/** Returns what is known of a price, locked until the transaction ends. Whoever locks the wallet settings too does that first. */
export async function lockCoinPrice(tx: Transaction, coin: Coin): Promise<CoinPriceRow> {
  const [row] = await tx.select().from(coinPrices).where(eq(coinPrices.coin, coin)).for("update");
  return row!;
}

export async function updateCoinPrice(connection: Connection, coin: Coin, changes: Partial<CoinPriceRow>): Promise<void> {
  await connection.update(coinPrices).set(changes).where(eq(coinPrices.coin, coin));
}

export async function updatePublicPrice(connection: Connection, coin: Coin, changes: Partial<PublicPriceRow>): Promise<void> {
  await connection.update(publicPrices).set(changes).where(eq(publicPrices.coin, coin));
}

interface Turn {
  coin: Coin;
  now: Date;
  seconds: number;
}

/** Returns whether this process, over all, is to ask the service now: it was asked `seconds` ago or more. */
export async function claimAsking(connection: Connection, { coin, now, seconds }: Turn): Promise<boolean> {
  const isDue = and(eq(publicPrices.coin, coin), isFree(publicPrices.asked_at, now, seconds));
  return (await connection.update(publicPrices).set({ asked_at: now }).where(isDue).returning()).length > 0;
}

/** Returns whether this process, over all, is to refresh the price now: it was refreshed `seconds` ago or more. */
export async function claimRefresh(connection: Connection, { coin, now, seconds }: Turn): Promise<boolean> {
  const isDue = and(eq(coinPrices.coin, coin), isFree(coinPrices.refreshed_at, now, seconds));
  return (await connection.update(coinPrices).set({ refreshed_at: now }).where(isDue).returning()).length > 0;
}

/** A lease that lies further ahead than it lasts is of a clock that was wrong, and is none. */
function isFree(lease: PgColumn, now: Date, seconds: number): SQL | undefined {
  return or(isNull(lease), lte(lease, secondsAfter(now, -seconds)), gt(lease, secondsAfter(now, seconds)));
}
