import { ProductError } from "#domain/errors/messages";
import { canonical } from "#domain/money";
import { isFarPrice } from "#domain/payment-methods/coin";
import { priceFieldOf, priceNames, settingsFields, type Coin, type WalletSettings } from "#domain/payment-methods/settings";
import type { Dependencies } from "../../dependencies.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";

const priceLimit: Limit = { name: "crypto-price", points: 30, seconds: 60 };

/**
 * Returns a coin's USD price from the public price service, a decimal string (WALLET-3). Throws the coin's own error, such as
 * `bitcoin_price_failed`, or `too_many_requests`.
 */
export async function fetchCryptoPrice(deps: Dependencies, adminId: string, coin: Coin): Promise<{ usd: string }> {
  await deps.limits.consume(priceLimit, adminId);
  try {
    return { usd: await deps.prices.usdPrice(coin) };
  } catch {
    throw new ProductError(priceFieldOf(coin).failed);
  }
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
