import Big from "big.js";

/**
 * Exact decimals (QUOTE-3): amounts are decimal strings at every border and `Big` inside, never binary floats.
 * All rounding is half up.
 */
const Decimal = Big();
Decimal.strict = false;
Decimal.DP = 40;
Decimal.RM = 1;

export type Decimal = Big;

/** Returns a decimal string as a number to calculate with. Throws on anything that is not a finite decimal. */
export function decimal(value: string): Decimal {
  return new Decimal(value);
}

// Stryker disable next-line Regex: whatever it leaves out takes the longer way to the same text.
const canonicalForm = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

/** Returns a plain decimal string without exponent and without trailing zeros: `299.10` becomes `299.1`. */
export function canonical(value: string | Decimal): string {
  // Most are canonical already, and a list has hundreds.
  // Stryker disable next-line ConditionFalse,StringLiteral: the longer way leads to the same text.
  if (typeof value === "string" && canonicalForm.test(value)) return value;
  return new Decimal(value).toFixed();
}

const usdFormat = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });

/** Returns an amount of USD for people to read, to its last digit with thousands separated: `64250.50` becomes `64,250.5` (TEXT-3). */
export function usdText(amount: string): string {
  return usdFormat.format(amount as `${number}`);
}

/** Returns a decimal string with exactly `places` digits after the point, rounded half up. */
export function rounded(value: string | Decimal, places: number): string {
  return new Decimal(value).toFixed(places, 1);
}

/** Returns whether a text is a plain non-negative decimal with at most 15 digits before the point and `places` after it. */
export function isPlainDecimal(text: string, places: number): boolean {
  const match = /^(?:0|[1-9]\d{0,14})(?:\.(\d+))?$/.exec(text);
  return match !== null && (match[1]?.length ?? 0) <= places;
}

/** Returns an amount in whole smallest units (satoshi 8, wei 18, satang 2 places). Throws a RangeError when some would be lost. */
export function smallestUnits(amount: string, places: number): string {
  const units = decimal(amount).times(decimal("10").pow(places));
  if (!units.eq(units.round(0, 0))) throw new RangeError(`${amount} has more than ${places} decimals.`);
  return units.toFixed(0);
}
