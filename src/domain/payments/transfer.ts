import { decimal, isPlainDecimal, rounded } from "../money.ts";
import { paymentMethod, type CryptoType } from "../payment-methods/methods.ts";

/** How much is paid by a payment request, and where to. */
export interface Transfer {
  crypto_type: CryptoType;
  /** In the method's currency, a decimal string. */
  amount_crypto: string;
  wallet_address: string;
}

/** Displayed in place of the amount of a request without a transfer (PAY-11). */
export const nothingToPay = "Nothing to pay";

/** Returns the transfer of a payment request; undefined where there is nothing to pay (PAY-11). */
export function transferOf(request: { [Name in keyof Transfer]: Transfer[Name] | null }): Transfer | undefined {
  const { crypto_type, amount_crypto, wallet_address } = request;
  if (crypto_type === null || amount_crypto === null || wallet_address === null) return undefined;
  return { crypto_type, amount_crypto, wallet_address };
}

/** Returns whether a text is a part of what was to be paid, 0 included, in the method's decimals (DECIDE-7). */
export function isPartOf({ crypto_type, amount_crypto }: Transfer, received: string): boolean {
  return isPlainDecimal(received, paymentMethod(crypto_type).places) && decimal(received).lt(amount_crypto);
}

/**
 * Returns what is still to be paid once a part has arrived, with all the method's decimals: the amount minus the part, exactly
 * (DECIDE-7). Both are decimal strings in the method's currency.
 */
export function amountOwed({ crypto_type, amount_crypto }: Transfer, received: string): string {
  return rounded(decimal(amount_crypto).minus(received), paymentMethod(crypto_type).places);
}
