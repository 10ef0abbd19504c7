import { decimal, rounded } from "../money.ts";
import { paymentMethod, type CryptoType } from "./methods.ts";

/** Once all last digits are in use, ten times as many are tried, up to this many times as many (QUOTE-8). */
export const widestRange = 1000;

/** Returns how many amounts there are from an amount on, the amount itself left out, in a range that was widened `times` (QUOTE-8). */
export function ownDigitsCount(cryptoType: CryptoType, times: number): number {
  return (paymentMethod(cryptoType).maxAdded + 1) * times - 1;
}

/** Returns an amount, a decimal string in the method's currency, with `units` of its last digit added: 17395.00 THB and 7 is 17395.07. */
export function withOwnDigits(cryptoType: CryptoType, amount: string, units: number): string {
  const { places } = paymentMethod(cryptoType);
  return rounded(decimal(amount).plus(decimal(`${units}e-${places}`)), places);
}
