import type { CoinPrice } from "#domain/api/payments/coin-prices";
import { coins, priceNameOf } from "#domain/payment-methods/settings";
import type { Dependencies } from "../../../dependencies.ts";
import { currentSettings } from "../current.ts";
import { renewPublicPrice } from "./public-price.ts";
import { findAllKnownPrices } from "./queries.ts";
import { coinPriceView } from "./views.ts";

/** Returns each coin's price with its age, the public one and what is to be looked at (PRICE-2), and the seconds between refreshes. */
export async function listCoinPrices(deps: Dependencies): Promise<{ items: CoinPrice[]; refresh_seconds: number }> {
  await Promise.all(coins.map((coin) => renewPublicPrice(deps, coin)));
  const settings = await currentSettings(deps.db, deps.clock.now());
  const rows = await findAllKnownPrices(deps.db);
  const items = rows.map((row) => coinPriceView(row, settings[priceNameOf(row.own.coin)], deps.clock.now()));
  return { items, refresh_seconds: deps.config.payments.priceRefreshSeconds };
}
