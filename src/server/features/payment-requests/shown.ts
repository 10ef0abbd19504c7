import type { PaymentRequest, ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { canonical } from "#domain/money";
import { canDecide } from "#domain/payment-request";
import { usdAtCurrentPrice } from "#domain/quote";
import type { WalletSettings } from "#domain/wallet-settings";
import type { PaymentRequestRow, ReviewedRow } from "./queries.ts";

/** A request as its payer sees it. */
export function shownToPayer(row: PaymentRequestRow): PaymentRequest {
  return {
    id: row.id,
    user_id: row.user_id,
    package_type: row.package_type,
    original_usd: canonical(row.original_usd),
    discount_percent: canonical(row.discount_percent),
    amount_usd: canonical(row.amount_usd),
    amount_crypto: row.amount_crypto,
    crypto_type: row.crypto_type,
    coupon_code: row.coupon_code,
    wallet_address: row.wallet_address,
    reference: row.reference,
    status: row.status,
    rejection_reason: row.rejection_reason,
    screenshot_url: row.screenshot_url,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

/**
 * A request as the admin sees it, with the payer's e-mail and name as they were. With the present prices a pending one also tells
 * what its coins are worth now: a late payer may have sent them at another price.
 */
export function shownToAdmin(row: ReviewedRow, prices?: WalletSettings): ReviewedPaymentRequest {
  const isOpen = prices !== undefined && canDecide(row.status);
  return {
    ...shownToPayer(row),
    email: row.payer_email,
    full_name: row.payer_full_name,
    payer_tier: row.payer_tier,
    usd_at_current_price: isOpen ? usdAtCurrentPrice(row.amount_crypto, row.crypto_type, prices) : null,
  };
}
