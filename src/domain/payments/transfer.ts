import { decimal, isPlainDecimal, rounded } from "../money.ts";
import {
  isCurrentDestination,
  isSameDestination,
  methodTo,
  paymentMethod,
  type CryptoType,
  type PresentSettings,
  type QuotedMethod,
} from "../payment-methods/methods.ts";
import type { WalletSettings } from "../payment-methods/settings.ts";

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

/** Returns whether a text is an amount that can have arrived, 0 included, in the method's decimals (PART-1). */
export function isAmountOf({ crypto_type }: Transfer, received: string): boolean {
  return isPlainDecimal(received, paymentMethod(crypto_type).places);
}

/** Returns whether a text is a part of what was to be paid, 0 included, in the method's decimals (DECIDE-7). */
export function isPartOf(transfer: Transfer, received: string): boolean {
  return isAmountOf(transfer, received) && decimal(received).lt(transfer.amount_crypto);
}

/** Returns whether any money has arrived, by the amount received: a decimal string, or null where nobody stated one (DECIDE-7). */
export function hasArrived(received: string | null): boolean {
  return received !== null && decimal(received).gt(0);
}

/** Returns whether a text is a part that leaves a rest to ask for: more than 0 and less than the amount due (PART-3). */
export function leavesRest(transfer: Transfer, received: string): boolean {
  return isPartOf(transfer, received) && hasArrived(received);
}

/** Returns whether another amount than the one due has arrived (PART-1). Both are decimal strings in the method's currency. */
export function isOtherAmount({ amount_crypto }: Transfer, received: string): boolean {
  return !decimal(received).eq(amount_crypto);
}

/** A rest that is asked for. */
export interface AskedRest {
  /** What has arrived so far, a decimal string in the method's currency. */
  received: string;
  /** Where the student was told to send it, in that order. */
  told: readonly string[];
}

/**
 * Returns the rest of a payment with where to send it (PART-4): the payment's own destination while the settings have it, else the one told
 * last that they still have, else the one they have now. It is not available when they have none.
 */
export function restToPay(transfer: Transfer, { received, told }: AskedRest, settings: PresentSettings): QuotedMethod {
  const { crypto_type, wallet_address: own } = transfer;
  const current = [...told, own].findLast((one) => isCurrentDestination(crypto_type, one, settings));
  const method = paymentMethod(crypto_type);
  const wallet_address = current ?? method.destination(settings);
  // While a destination waits (GUARD-5), both accounts are current: the bank is that of the address.
  const isAccount = (one: WalletSettings) => isSameDestination(crypto_type, method.destination(one), wallet_address);
  const account = [settings, settings.saved].find(isAccount) ?? settings;
  return methodTo(crypto_type, wallet_address, amountOwed(transfer, received), account);
}

/**
 * Returns what is still to be paid once a part has arrived, with all the method's decimals: the amount minus the part, exactly
 * (DECIDE-7). Both are decimal strings in the method's currency.
 */
export function amountOwed({ crypto_type, amount_crypto }: Transfer, received: string): string {
  return rounded(decimal(amount_crypto).minus(received), paymentMethod(crypto_type).places);
}
