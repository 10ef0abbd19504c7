import type { EarlierQuote, Quote } from "#domain/api/payments/quotes";
import { discounted } from "#domain/payments/quote";
import type { QuoteRow } from "./queries.ts";

const maxEarlierQuotes = 3;

/** Returns a quote with those of the student's other quotes that have other figures. */
export function quoteView(row: QuoteRow, others: QuoteRow[], { isCouponHeld }: { isCouponHeld: boolean }): Quote {
  return {
    id: row.id,
    package_type: row.package_type,
    coupon_code: row.coupon_code,
    coupon_held: isCouponHeld,
    discount_percent: row.discount_percent,
    original_usd: row.original_usd,
    discount_usd: discounted(row.original_usd, row.discount_percent).discountUsd,
    upgrade_credit_usd: row.upgrade_credit_usd,
    amount_usd: row.amount_usd,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    is_sample: row.is_sample,
    methods: row.methods,
    earlier: earlierQuoteViews(row, others),
  };
}

/** Returns at most three other quotes whose usable methods differ from those of this quote and of each other, newest first. */
function earlierQuoteViews(row: QuoteRow, others: QuoteRow[]): EarlierQuote[] {
  const byMethods = new Map<string, EarlierQuote | undefined>([[JSON.stringify(usableMethods(row)), undefined]]);
  for (const before of others) {
    const methods = usableMethods(before);
    const key = JSON.stringify(methods);
    if (methods.length === 0 || byMethods.has(key)) continue;
    byMethods.set(key, { id: before.id, amount_usd: before.amount_usd, created_at: before.created_at.toISOString(), methods });
  }
  return [...byMethods.values()].filter((quote) => quote !== undefined).slice(0, maxEarlierQuotes);
}

function usableMethods(row: QuoteRow): EarlierQuote["methods"] {
  return row.methods
    .filter(({ available }) => available)
    .map(({ crypto_type, amount_crypto, wallet_address }) => ({ crypto_type, amount_crypto, wallet_address }));
}
