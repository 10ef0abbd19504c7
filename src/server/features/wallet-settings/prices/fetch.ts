import type { FetchedPrice } from "#domain/api/payments/coin-prices";
import type { FieldChanges } from "#domain/guard/changes";
import { canonical } from "#domain/money";
import { coins, priceNameOf } from "#domain/payment-methods/settings";
import { holdReasonOf } from "#domain/payments/coin-price";
import type { Dependencies } from "../../../dependencies.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { currentSettings } from "../current.ts";
import { recordPriceChanges, type ChangedBy } from "../guard/record.ts";
import { lockSettings } from "../queries.ts";
import { askPublicPrice, priceLimit } from "./public-price.ts";
import { lockCoinPrice } from "./queries.ts";
import { storePrice } from "./store.ts";

/**
 * Takes every public price that is within the owner's bounds and at most 20% off the price so far, and returns what became of each
 * (PRICE-3). Throws `too_many_requests`.
 */
export async function fetchCoinPrices(deps: Dependencies, adminId: string, by: ChangedBy): Promise<{ items: FetchedPrice[] }> {
  await deps.limits.consume(priceLimit, adminId);
  const stated = await Promise.all(coins.map(async (coin) => ({ coin, usd: await askPublicPrice(deps, coin) })));
  return transaction(deps.db, async (tx) => {
    await lockSettings(tx);
    const at = deps.clock.now();
    const settings = await currentSettings(tx, at);
    const items: FetchedPrice[] = [];
    const changes: FieldChanges = {};
    for (const { coin, usd } of stated) {
      const before = settings[priceNameOf(coin)];
      const known = await lockCoinPrice(tx, coin);
      const kept = usd === undefined ? "no_public_price" : (holdReasonOf(usd, before, known) ?? null);
      if (usd !== undefined && kept === null) {
        await storePrice(tx, by.actor, { coin, before, usd, source: "price-service", at });
        changes[priceNameOf(coin)] = { before, after: canonical(usd) };
      }
      items.push({ coin, before_usd: before, public_usd: usd ?? null, kept });
    }
    await recordPriceChanges(deps, tx, { ...by, at }, changes);
    return { items };
  });
}
