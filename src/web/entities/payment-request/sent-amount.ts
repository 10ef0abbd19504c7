import type { PaymentRequest } from "#domain/api/payment-requests";
import { methodCurrencies } from "#domain/wallet-settings";

/** Returns the amount the student says they sent, with its currency: the earlier quote's where they paid by one. */
export function sentAmount({ paid_by_earlier_quote, amount_crypto, crypto_type }: PaymentRequest): string {
  return `${paid_by_earlier_quote?.amount_crypto ?? amount_crypto} ${methodCurrencies[crypto_type]}`;
}
