import type { FetchedPrice } from "#domain/api/coin-prices";
import { coins, priceNameOf } from "#domain/payment-methods/settings";
import { holdReasonOf } from "#domain/payments/coin-price";
import type { Dependencies } from "../../../dependencies.ts";
import type { Actor } from "../../../platform/audit.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { currentSettings } from "../current.ts";
import { lockSettings } from "../queries.ts";
import { askPublicPrice, priceLimit } from "./public-price.ts";
import { lockCoinPrice } from "./queries.ts";
import { storePrice } from "./store.ts";

/**
 * Takes every public price that is within the owner's bounds and at most 20% off the price so far, and returns what became of each
 * (PRICE-3). Throws `too_many_requests`.
 */
export async function fetchCoinPrices(deps: Dependencies, adminId: string, actor: Actor): Promise<{ items: FetchedPrice[] }> {
  await deps.limits.consume(priceLimit, adminId);
  const stated = await Promise.all(coins.map(async (coin) => ({ coin, usd: await askPublicPrice(deps, coin) })));
  return transaction(deps.db, async (tx) => {
    await lockSettings(tx);
    const settings = await currentSettings(tx);
    const items: FetchedPrice[] = [];
    for (const { coin, usd } of stated) {
      const before = settings[priceNameOf(coin)];
      const known = await lockCoinPrice(tx, coin);
      const kept = usd === undefined ? "no_public_price" : (holdReasonOf(usd, before, known) ?? null);
      if (usd !== undefined && kept === null) {
        await storePrice(tx, actor, { coin, before, usd, source: "price-service", at: deps.clock.now() });
      }
      items.push({ coin, before_usd: before, public_usd: usd ?? null, kept });
    }
    return { items };
  });
}
