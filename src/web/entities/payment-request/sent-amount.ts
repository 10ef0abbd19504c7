import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { amountText } from "#domain/payment-methods/methods";
import { nothingToPay, transferOf } from "#domain/payments/transfer";

/**
 * Returns the amount the student says they sent, with its currency: the earlier quote's where they paid by one; a text where nothing
 * was to be paid.
 */
export function sentAmount(request: PaymentRequest): string {
  const transfer = transferOf(request);
  if (!transfer) return nothingToPay;
  return amountText(transfer.crypto_type, request.paid_by_earlier_quote?.amount_crypto ?? transfer.amount_crypto);
}
