import type { DuePayment } from "#domain/evidence/chain";
import { coins, type Coin } from "#domain/payment-methods/settings";
import type { PaymentRequestRow, ViewedRow } from "../queries.ts";

/** Returns the coin of a request that is paid by one; undefined where there is no chain to look at. */
export function coinOf({ crypto_type }: Pick<PaymentRequestRow, "crypto_type">): Coin | undefined {
  return coins.find((coin) => coin === crypto_type);
}

/**
 * Returns what a request's student should have paid in all: by the earlier quote where they say so (QUOTE-6), unless a rest was asked for,
 * which is counted from the present amount (PART-3).
 */
export function duePayment(request: ViewedRow, coin: Coin): DuePayment {
  const { earlier_amount_crypto, earlier_amount_usd, amount_usd, reference } = request;
  // Stryker disable next-line StringLiteral: a request that is paid by coin has an amount.
  const amount = request.amount_crypto ?? "0";
  const soughtAmount = earlier_amount_crypto ?? amount;
  // Asking stores what had arrived, and no destination where there was none.
  const isAsked = request.rest_asked_at !== null || (request.status === "pending" && request.amount_received !== null);
  const isRestAsked = isAsked || request.rest_destinations.length > 0;
  return isRestAsked
    ? { coin, amount, amountUsd: amount_usd, soughtAmount, reference }
    : { coin, amount: soughtAmount, amountUsd: earlier_amount_usd ?? amount_usd, soughtAmount, reference };
}
