import type { DuePayment } from "#domain/evidence/chain";
import { coins, type Coin } from "#domain/payment-methods/settings";
import type { PaymentRequestRow, ViewedRow } from "../queries.ts";

/** Returns the coin of a request that is paid by one; undefined where there is no chain to look at. */
export function coinOf({ crypto_type }: Pick<PaymentRequestRow, "crypto_type">): Coin | undefined {
  return coins.find((coin) => coin === crypto_type);
}

/** Returns what a request's student should have paid: by the earlier quote where they say so (QUOTE-6). */
export function duePayment(request: ViewedRow, coin: Coin): DuePayment {
  const { earlier_amount_crypto, earlier_amount_usd, amount_crypto, amount_usd, reference } = request;
  return {
    coin,
    // Stryker disable next-line StringLiteral: a request that is paid by coin has an amount.
    amount: earlier_amount_crypto ?? amount_crypto ?? "0",
    amountUsd: earlier_amount_usd ?? amount_usd,
    reference,
  };
}
