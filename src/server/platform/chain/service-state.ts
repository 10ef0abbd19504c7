import { eq, isNotNull, and, sql } from "drizzle-orm";
import type { Coin } from "#domain/payment-methods/settings";
import { secondsAfter } from "../clock.ts";
import type { Connection } from "../db/database.ts";
import { chainServices } from "../db/schema.ts";
import type { ChainServiceError } from "./chain.ts";

/** Seconds until a service that failed is asked again: doubled after each failure, up to ten minutes. */
const firstPauseSeconds = 15;
const maxPauseSeconds = 600;

export type ServiceRow = typeof chainServices.$inferSelect;

export function findAllServices(connection: Connection): Promise<ServiceRow[]> {
  return connection.select().from(chainServices);
}

export async function findService(connection: Connection, coin: Coin): Promise<ServiceRow> {
  const [row] = await connection.select().from(chainServices).where(eq(chainServices.coin, coin));
  return row!;
}

/** Returns whether a service that failed is left alone for a while. */
export async function isServiceClosed(connection: Connection, coin: Coin, now: Date): Promise<boolean> {
  const { closed_until } = await findService(connection, coin);
  return closed_until !== null && closed_until > now;
}

/** Stores that a service failed, for all processes. Returns whether it did not fail before. */
export async function storeServiceFailure(
  connection: Connection,
  coin: Coin,
  now: Date,
  { problem, retryAfter }: ChainServiceError,
): Promise<boolean> {
  const earlier = await findService(connection, coin);
  const pause = Math.min(firstPauseSeconds * 2 ** earlier.failures, maxPauseSeconds);
  await connection
    .update(chainServices)
    .set({
      failures: sql`${chainServices.failures} + 1`,
      failing_since: sql`coalesce(${chainServices.failing_since}, ${now.toISOString()})`,
      problem,
      closed_until: secondsAfter(now, Math.max(pause, retryAfter ?? 0)),
      asked_to_wait_until: retryAfter === undefined ? null : secondsAfter(now, retryAfter),
    })
    .where(eq(chainServices.coin, coin));
  return earlier.failing_since === null;
}

/** Stores that a service works. Returns whether it failed before. */
export async function storeServiceSuccess(connection: Connection, coin: Coin): Promise<boolean> {
  const { rowCount } = await connection
    .update(chainServices)
    .set({ failures: 0, failing_since: null, problem: null, closed_until: null, asked_to_wait_until: null })
    .where(and(eq(chainServices.coin, coin), isNotNull(chainServices.failing_since)));
  return rowCount === 1;
}
