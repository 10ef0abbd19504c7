import type { PaymentRequest, Receipt, ReviewedPaymentRequest, ScreenshotMatch } from "#domain/api/payment-requests";
import { canonical } from "#domain/money";
import { canDecide } from "#domain/payment-request";
import { discounted, usdAtCurrentPrice } from "#domain/quote";
import type { WalletSettings } from "#domain/wallet-settings";
import type { MatchRow } from "./likeness-queries.ts";
import type { PaymentRequestRow, ReviewedRow } from "./queries.ts";

/** A request as its payer sees it. */
export function shownToPayer(row: PaymentRequestRow): PaymentRequest {
  return {
    id: row.id,
    user_id: row.user_id,
    package_type: row.package_type,
    original_usd: canonical(row.original_usd),
    discount_percent: canonical(row.discount_percent),
    discount_usd: discounted(row.original_usd, row.discount_percent).discountUsd,
    upgrade_credit_usd: canonical(row.upgrade_credit_usd),
    amount_usd: canonical(row.amount_usd),
    amount_crypto: row.amount_crypto,
    crypto_type: row.crypto_type,
    coupon_code: row.coupon_code,
    wallet_address: row.wallet_address,
    reference: row.reference,
    paid_by_earlier_quote: earlierQuote(row),
    status: row.status,
    rejection_reason: row.rejection_reason,
    screenshot_url: row.screenshot_url,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    receipt_number: row.receipt_number,
  };
}

function earlierQuote(row: PaymentRequestRow): PaymentRequest["paid_by_earlier_quote"] {
  const { earlier_amount_usd, earlier_amount_crypto, earlier_wallet_address, earlier_quoted_at } = row;
  if (earlier_amount_usd === null || earlier_amount_crypto === null) return null;
  return {
    amount_usd: canonical(earlier_amount_usd),
    amount_crypto: earlier_amount_crypto,
    wallet_address: earlier_wallet_address ?? "",
    quoted_at: earlier_quoted_at?.toISOString() ?? "",
  };
}

/** The receipt of an approved request; undefined while it has none. */
export function shownAsReceipt(row: PaymentRequestRow): Receipt | undefined {
  const { decided_at, receipt_number, ...shown } = shownToPayer(row);
  if (decided_at === null || receipt_number === null) return undefined;
  return { ...shown, decided_at, receipt_number, email: row.payer_email, full_name: row.payer_full_name };
}

/**
 * A request as the admin sees it, with the payer's e-mail and name as they were. With the present prices a pending one also tells
 * what its coins are worth now: a late payer may have sent them at another price. `withScreenshotComparisons` adds what else is like it.
 */
export function shownToAdmin(row: ReviewedRow, prices?: WalletSettings): ReviewedPaymentRequest {
  const isOpen = prices !== undefined && canDecide(row.status);
  return {
    ...shownToPayer(row),
    email: row.payer_email,
    full_name: row.payer_full_name,
    payer_tier: row.payer_tier,
    usd_at_current_price: isOpen
      ? usdAtCurrentPrice(row.earlier_amount_crypto ?? row.amount_crypto, row.crypto_type, prices)
      : null,
    screenshot_matches: [],
    screenshot_verdict: "not_compared",
  };
}

/** Another request with a like screenshot, as the admin sees it. */
export function shownAsMatch(match: MatchRow): ScreenshotMatch {
  return { ...match, created_at: match.created_at.toISOString() };
}
