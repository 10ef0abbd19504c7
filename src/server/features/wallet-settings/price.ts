import { ProductError } from "#domain/errors/messages";
import { priceFieldOf, type Coin } from "#domain/payment-methods/settings";
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
