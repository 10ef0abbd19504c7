import type { PaymentRequest } from "#domain/api/payment-requests";
import { amountText } from "#domain/payment-methods/methods";

/** Returns the amount the student says they sent, with its currency: the earlier quote's where they paid by one. */
export function sentAmount({ paid_by_earlier_quote, amount_crypto, crypto_type }: PaymentRequest): string {
  return amountText(crypto_type, paid_by_earlier_quote?.amount_crypto ?? amount_crypto);
}
