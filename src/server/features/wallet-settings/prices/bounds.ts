import type { CoinPrice, PriceBoundsForm } from "#domain/api/payments/coin-prices";
import { priceNameOf, type Coin } from "#domain/payment-methods/settings";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit, type Actor } from "../../../platform/audit.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { currentSettings } from "../current.ts";
import { findKnownPrice, lockCoinPrice, updateCoinPrice } from "./queries.ts";
import { coinPriceView } from "./views.ts";

/** Sets between which prices a coin's public one is taken (PRICE-4), USD as decimal strings, empty for none, and returns its price. */
export function setPriceBounds(deps: Dependencies, actor: Actor, coin: Coin, bounds: PriceBoundsForm): Promise<CoinPrice> {
  return transaction(deps.db, async (tx) => {
    const { lowest_usd, highest_usd } = await lockCoinPrice(tx, coin);
    const after = { lowest_usd: bounds.lowest_usd || null, highest_usd: bounds.highest_usd || null };
    const at = deps.clock.now();
    await updateCoinPrice(tx, coin, after);
    await recordAudit(tx, actor, {
      at,
      action: "coin-price.set-bounds",
      subject: { type: "coin-price", id: coin },
      details: { before: { lowest_usd, highest_usd }, after },
    });
    const settings = await currentSettings(tx, deps.clock.now());
    return coinPriceView(await findKnownPrice(tx, coin), settings[priceNameOf(coin)], at);
  });
}
