import type {
  CancelledReceipt,
  PaymentPart,
  PaymentRequest,
  Receipt,
  ReviewedPaymentRequest,
} from "#domain/api/payments/payment-requests";
import { isFlagged, type Evidence } from "#domain/evidence/evidence";
import { canonical } from "#domain/money";
import { canDecide } from "#domain/payments/payment-request";
import { isCurrentDestination, isSameDestination, paymentMethod, type PresentSettings } from "#domain/payment-methods/methods";
import { discounted } from "#domain/payments/quote";
import { amountOwed, restToPay, transferOf } from "#domain/payments/transfer";
import type { PaymentRequestRow, ReviewedRow, ViewedRow } from "./queries.ts";
import type { CancelledReceiptRow } from "./reopen/queries.ts";
import type { PartRow, WithParts } from "./rest/queries.ts";

/** Returns a request as its payer sees it; `settings` are the present wallet settings. */
export function paymentRequestView(row: WithParts, settings: PresentSettings): PaymentRequest {
  const transfer = transferOf(row);
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
    paid_by_earlier_quote: earlierQuoteView(row, settings),
    destination_current: !transfer || isCurrentDestination(transfer.crypto_type, transfer.wallet_address, settings),
    status: row.status,
    rejection_reason: row.rejection_reason,
    amount_received: row.amount_received,
    amount_owed:
      transfer && row.amount_received !== null && row.status !== "approved" ? amountOwed(transfer, row.amount_received) : null,
    rest: restView(row, settings),
    parts: row.parts.map(partView),
    resubmits: row.resubmits,
    screenshot_url: row.screenshot_url,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    receipt_number: row.receipt_number,
    approval_seen_at: row.approval_seen_at?.toISOString() ?? null,
  };
}

function restView(row: ViewedRow, settings: PresentSettings): PaymentRequest["rest"] {
  const transfer = transferOf(row);
  if (!transfer || row.rest_asked_at === null || row.amount_received === null) return null;
  const method = restToPay(transfer, { received: row.amount_received, told: row.rest_destinations }, settings);
  const isPresent = (one: string): boolean => isSameDestination(transfer.crypto_type, one, method.wallet_address);
  const destination_changed = !isPresent(transfer.wallet_address);
  const former_destinations = row.rest_destinations.filter((one) => !isPresent(one));
  return { asked_at: row.rest_asked_at.toISOString(), method, destination_changed, former_destinations };
}

function partView({ id, amount_asked, wallet_address, reference, screenshot_url, submitted_at }: PartRow): PaymentPart {
  return { id, amount_asked, wallet_address, reference, screenshot_url, submitted_at: submitted_at.toISOString() };
}

function earlierQuoteView(row: ViewedRow, settings: PresentSettings): PaymentRequest["paid_by_earlier_quote"] {
  const { crypto_type, earlier_amount_usd, earlier_amount_crypto, earlier_wallet_address, earlier_quoted_at } = row;
  if (crypto_type === null || earlier_amount_usd === null || earlier_amount_crypto === null) return null;
  return {
    amount_usd: canonical(earlier_amount_usd),
    amount_crypto: earlier_amount_crypto,
    wallet_address: earlier_wallet_address ?? "",
    destination_current: isCurrentDestination(crypto_type, earlier_wallet_address ?? "", settings),
    quoted_at: earlier_quoted_at?.toISOString() ?? "",
  };
}

/** Returns the receipt of an approved request; undefined before the approval. */
export function receiptView(row: WithParts, settings: PresentSettings): Receipt | undefined {
  const { decided_at, receipt_number, ...request } = paymentRequestView(row, settings);
  if (decided_at === null || receipt_number === null) return undefined;
  return { ...request, decided_at, receipt_number, email: row.payer_email, full_name: row.payer_full_name };
}

/** Returns the receipt of an approval that was undone (REOPEN-3). */
export function cancelledReceiptView({ approved_at, cancelled_at, ...receipt }: CancelledReceiptRow): CancelledReceipt {
  return { ...receipt, approved_at: approved_at.toISOString(), cancelled_at: cancelled_at.toISOString() };
}

/**
 * Returns a request as the admin sees it, with the payer's e-mail and name at the time of the submit, and of a pending one what its
 * coins are worth now, since a late payer may have sent them at another price. `settings` are the present wallet settings.
 */
export function reviewedPaymentRequestView(
  row: ReviewedRow & WithParts,
  evidence: Evidence[],
  settings: PresentSettings,
): ReviewedPaymentRequest {
  const transfer = transferOf(row);
  const screenshot = evidence.find((one) => one.kind === "screenshot");
  return {
    email: row.payer_email,
    full_name: row.payer_full_name,
    payer_tier: row.payer_tier,
    usd_at_current_price:
      transfer && canDecide(row.status)
        ? paymentMethod(transfer.crypto_type).usdValue(row.earlier_amount_crypto ?? transfer.amount_crypto, settings)
        : null,
    screenshot_matches: screenshot?.details.matches ?? [],
    screenshot_verdict: screenshot?.verdict ?? null,
    evidence,
    flagged: canDecide(row.status) && evidence.some(isFlagged),
    note: row.note,
    // Last: V8 takes many times as long to add fields to an object that begins with so many.
    ...paymentRequestView(row, settings),
  };
}

/** Returns what the audit log says of a request, for its sentences (AUDIT-5). */
export function auditedPayment({ payer_email, package_type, amount_usd }: PaymentRequestRow) {
  return { payer: payer_email, package_type, amount_usd: canonical(amount_usd) };
}
