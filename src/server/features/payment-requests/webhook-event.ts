import type { PaymentStatus } from "#domain/payments/payment-request";
import { canonical } from "#domain/money";
import { paymentMethod } from "#domain/payment-methods/methods";
import type { WebhookEvent } from "../webhooks/service.ts";
import type { PaymentRequestRow } from "./queries.ts";

/** Which event reports that a request got this status by a submit or a decision; reopening is an event of its own. */
const eventTypes = {
  pending: "payment_request.submitted",
  approved: "payment_request.approved",
  rejected: "payment_request.rejected",
} as const satisfies Record<PaymentStatus, string>;

/**
 * Returns the event of a submitted or decided request. `email` is the payer's address at the time of the event, `origin` where links lead to,
 * undefined when none can be trusted.
 */
export function requestEvent(row: PaymentRequestRow, email: string, origin: string | undefined): WebhookEvent {
  const data = { ...requestData(row, email, origin), reason: row.rejection_reason, cancelled_receipt_number: null };
  return { type: eventTypes[row.status], paymentRequestId: row.id, data };
}

/** Returns the event of a reopened request, with the receipt that was cancelled by it (REOPEN-3). */
export function reopenedEvent(
  row: PaymentRequestRow,
  email: string,
  origin: string | undefined,
  undone: { reason: string; cancelledReceipt: string | null },
): WebhookEvent {
  const { reason, cancelledReceipt } = undone;
  const data = { ...requestData(row, email, origin), reason, cancelled_receipt_number: cancelledReceipt };
  return { type: "payment_request.reopened", paymentRequestId: row.id, data };
}

/** The request by the names of the HTTP API, without its screenshot and the seller's own address or account (WEBHOOK-2). */
function requestData(row: PaymentRequestRow, email: string, origin: string | undefined) {
  return {
    id: row.id,
    status: row.status,
    package_type: row.package_type,
    original_usd: canonical(row.original_usd),
    discount_percent: canonical(row.discount_percent),
    coupon_code: row.coupon_code,
    upgrade_credit_usd: canonical(row.upgrade_credit_usd),
    amount_usd: canonical(row.amount_usd),
    crypto_type: row.crypto_type,
    currency: row.crypto_type === null ? null : paymentMethod(row.crypto_type).currency,
    amount_crypto: row.amount_crypto,
    amount_received: row.amount_received,
    reference: row.reference,
    user_id: row.user_id,
    email,
    resubmits: row.resubmits,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    receipt_number: row.receipt_number,
    url: origin === undefined ? null : `${origin}/admin/payments/${row.id}`,
  };
}
