import type { Quote } from "#domain/api/payments/quotes";
import { comparableDestination, isSameDestination, type QuotedMethod } from "#domain/payment-methods/methods";

/** What a student may have sent by another quote. */
export interface EarlierPayment {
  quoteId: string;
  amountCrypto: string;
  destination: string;
  /** Whether that is another one than the current. */
  hasOtherDestination: boolean;
  quotedAt: string;
  /** Equal for equal figures, also of different quotes. */
  key: string;
}

/** Returns whether a student can choose a method: to pay by, or only to name an earlier payment by one that the owner has removed (QUOTE-6). */
export function isChoosable(quote: Pick<Quote, "earlier">, method: QuotedMethod): boolean {
  return method.available || earlierPayments(quote, method).length > 0;
}

/** Returns the earlier figures of a method that differ from the current ones and from each other, newest first. */
export function earlierPayments({ earlier }: Pick<Quote, "earlier">, method: QuotedMethod): EarlierPayment[] {
  const keyOf = ({ amount_crypto, wallet_address }: Pick<QuotedMethod, "amount_crypto" | "wallet_address">): string =>
    JSON.stringify([method.crypto_type, amount_crypto, comparableDestination(method.crypto_type, wallet_address)]);
  const found = new Map<string, EarlierPayment>();
  for (const { id, created_at, methods } of earlier) {
    const former = methods.find(({ crypto_type }) => crypto_type === method.crypto_type);
    if (!former || Number(former.amount_crypto) === 0) continue;
    const key = keyOf(former);
    if (key === keyOf(method) || found.has(key)) continue;
    found.set(key, {
      quoteId: id,
      amountCrypto: former.amount_crypto,
      destination: former.wallet_address,
      hasOtherDestination: !isSameDestination(method.crypto_type, former.wallet_address, method.wallet_address),
      quotedAt: created_at,
      key,
    });
  }
  return [...found.values()];
}
