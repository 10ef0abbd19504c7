import { ProductError } from "#domain/errors/messages";
import { canonical } from "#domain/money";
import { isFarPrice, isPriceUsd } from "#domain/payment-methods/coin";
import { priceFieldOf, priceNames, settingsFields, type Coin, type WalletSettings } from "#domain/payment-methods/settings";
import type { Dependencies } from "../../../dependencies.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { claimAsking, updatePublicPrice } from "./queries.ts";

/** Of every question that the admin asks by a click. */
export const priceLimit: Limit = { name: "crypto-price", points: 30, seconds: 60 };

/** Seconds between two questions for the dashboard, over all processes, also after a failure (PRICE-2). */
const askAgainSeconds = 300;

export type PriceParts = Pick<Dependencies, "db" | "clock" | "prices">;

/**
 * Returns a coin's USD price from the public price service, a decimal string (WALLET-3). Throws the coin's own error, such as
 * `bitcoin_price_failed`, or `too_many_requests`.
 */
export async function fetchCryptoPrice(deps: Dependencies, adminId: string, coin: Coin): Promise<{ usd: string }> {
  await deps.limits.consume(priceLimit, adminId);
  const usd = await askPublicPrice(deps, coin);
  if (usd === undefined) throw new ProductError(priceFieldOf(coin).failed);
  return { usd };
}

/** Asks the service now and stores what it states. Returns undefined when it states no price, and at `stop`. */
export async function askPublicPrice(
  { db, clock, prices }: PriceParts,
  coin: Coin,
  stop?: AbortSignal,
): Promise<string | undefined> {
  const stated = await prices.usdPrice(coin, stop).catch(() => undefined);
  if (stop?.aborted) return undefined;
  // Stryker disable next-line LeftOperand: undefined is no price either.
  const usd = stated !== undefined && isPriceUsd(stated) ? stated : undefined;
  const found = usd === undefined ? { has_failed: true } : { has_failed: false, usd, stated_at: clock.now() };
  await updatePublicPrice(db, coin, found);
  return usd;
}

/** Asks the service again if that was not done in the last five minutes, by whichever process (PRICE-2). */
export async function renewPublicPrice(parts: PriceParts, coin: Coin): Promise<void> {
  const isDue = await claimAsking(parts.db, { coin, now: parts.clock.steady(), seconds: askAgainSeconds });
  if (isDue) await askPublicPrice(parts, coin);
}

/**
 * Throws `step_up_needed` for a changed price that is more than 20% off the last one or the public one (STEPUP-2), also while the public
 * one cannot be read.
 */
export async function requireUsualPrices(
  deps: Dependencies,
  adminId: string,
  before: WalletSettings,
  wanted: WalletSettings,
): Promise<void> {
  for (const name of priceNames) {
    const price = wanted[name];
    if (canonical(price) === canonical(before[name])) continue;
    const publicPrice = await fetchCryptoPrice(deps, adminId, settingsFields[name].coin).catch(() => undefined);
    const isUsual = publicPrice !== undefined && !isFarPrice(price, publicPrice.usd) && !isFarPrice(price, before[name]);
    if (!isUsual) throw new ProductError("step_up_needed");
  }
}
