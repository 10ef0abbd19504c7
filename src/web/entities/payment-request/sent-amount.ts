import type { PaymentRequest } from "#domain/api/payment-requests";
import { paymentMethod } from "#domain/payment-methods/methods";

/** Returns the amount the student says they sent, with its currency: the earlier quote's where they paid by one. */
export function sentAmount({ paid_by_earlier_quote, amount_crypto, crypto_type }: PaymentRequest): string {
  return `${paid_by_earlier_quote?.amount_crypto ?? amount_crypto} ${paymentMethod(crypto_type).currency}`;
}
