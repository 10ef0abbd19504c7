import { canonical, decimal } from "../money.ts";
import { packages, type PackageType } from "../packages.ts";

/** Seconds a quote holds (QUOTE-2). */
export const quoteLifetimeSeconds = 30 * 60;

export interface Price {
  /** USD, decimal strings without rounding; original minus discount minus credit equals amount to the last digit. */
  originalUsd: string;
  discountUsd: string;
  /** What was paid for Starter, as far as there is something left to take it off. */
  upgradeCreditUsd: string;
  amountUsd: string;
  discountPercent: string;
}

/** Returns the price of a package; `percent` and `creditUsd` are as in `discounted`. */
export function priceOf(packageType: PackageType, percent: string, creditUsd = "0"): Price {
  return discounted(packages[packageType].priceUsd, percent, creditUsd);
}

/**
 * Returns a price less a percent and then a credit, unrounded and never below 0 (QUOTE-3, QUOTE-4, PACKAGE-4): 997 less 70% is 299.1.
 * All are decimal strings: `percent` from 0 to 100, `creditUsd` not negative.
 */
export function discounted(priceUsd: string, percent: string, creditUsd = "0"): Price {
  const original = decimal(priceUsd);
  const discount = original.times(percent).times("0.01");
  const left = original.minus(discount);
  const credit = left.lt(creditUsd) ? left : decimal(creditUsd);
  return {
    originalUsd: canonical(original),
    discountUsd: canonical(discount),
    upgradeCreditUsd: canonical(credit),
    amountUsd: canonical(left.minus(credit)),
    discountPercent: canonical(percent),
  };
}
