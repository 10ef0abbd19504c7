import type { CoinPrice } from "#domain/api/payments/coin-prices";
import { canonical } from "#domain/money";
import { warningsOf } from "#domain/payments/coin-price";
import type { KnownPriceRow } from "./queries.ts";

/** Returns a price as the admin sees it; `usd` is the one of the settings. */
export function coinPriceView({ own, public: known }: KnownPriceRow, usd: string, now: Date): CoinPrice {
  const { usd: publicUsd, stated_at: publicAt } = known;
  const public_price = publicUsd === null || publicAt === null ? null : { usd: publicUsd, at: publicAt };
  return {
    coin: own.coin,
    usd,
    updated_at: own.set_at?.toISOString() ?? null,
    updated_by: own.set_by,
    lowest_usd: amountOrNull(own.lowest_usd),
    highest_usd: amountOrNull(own.highest_usd),
    public_usd: amountOrNull(publicUsd),
    public_at: publicAt?.toISOString() ?? null,
    public_failed: known.has_failed,
    warnings: warningsOf({ ...own, usd, public_price }, now),
  };
}

const amountOrNull = (value: string | null): string | null => (value === null ? null : canonical(value));
