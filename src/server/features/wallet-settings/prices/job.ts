import { coins, priceFieldOf, type Coin } from "#domain/payment-methods/settings";
import { BackgroundJob, type JobParts } from "../../../platform/background-job.ts";
import { claimRefresh } from "./queries.ts";
import { refreshCoinPrice, type RefreshParts } from "./refresh.ts";

/** A price is refreshed at most this late. */
const pollMs = 15_000;

export type PriceRefreshParts = RefreshParts & JobParts;

/** Refreshes the coins' prices every `PRICE_REFRESH` (PRICE-5), in one of the processes. Does nothing when that is off. */
export function priceRefreshJob(parts: PriceRefreshParts): BackgroundJob {
  const isOn = parts.config.payments.priceRefreshSeconds > 0;
  const tasks = coins.map((coin) => ({
    failure: `The ${priceFieldOf(coin).coinName} price could not be refreshed`,
    run: (stop: AbortSignal) => refreshWhenDue(parts, coin, stop),
  }));
  return new BackgroundJob({ ...parts, pollMs, tasks: isOn ? tasks : [] });
}

async function refreshWhenDue(parts: PriceRefreshParts, coin: Coin, stop: AbortSignal): Promise<void> {
  const turn = { coin, now: parts.clock.steady(), seconds: parts.config.payments.priceRefreshSeconds };
  if (!stop.aborted && (await claimRefresh(parts.db, turn))) await refreshCoinPrice(parts, coin, stop);
}
