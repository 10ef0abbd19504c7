import { decimal, isPlainDecimal, rounded } from "../money.ts";

/** A coin's price in USD below or above these is a mistake, of the admin or of the price service. */
const minPriceUsd = "0.01";
const maxPriceUsd = "100000000";

/** Returns whether a text is a coin's price: a plain decimal within the bounds, with at most 2 digits after the point. */
export function isPriceUsd(text: string): boolean {
  return isPlainDecimal(text, 2) && decimal(text).gte(minPriceUsd) && decimal(text).lte(maxPriceUsd);
}

/** Returns whether a price is more than 20% above or below another, so that a session must be proven to set it (STEPUP-2). */
export function isFarPrice(priceUsd: string, fromUsd: string): boolean {
  return decimal(priceUsd).minus(fromUsd).abs().gt(decimal(fromUsd).times("0.2"));
}

/** Returns USD in a coin: divided by the coin's price in USD, rounded half up. All are decimal strings. */
export function amountOfCoin(amountUsd: string, priceUsd: string, places: number): string {
  return rounded(decimal(amountUsd).div(priceUsd), places);
}

/** Returns what an amount of a coin is worth in USD, with 2 decimals. */
export function usdOfCoin(amount: string, priceUsd: string): string {
  return rounded(decimal(amount).times(priceUsd), 2);
}
