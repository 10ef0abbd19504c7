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

/**
 * What a package costs in USD: a percent off its price, then a credit. `percent` is a decimal string from 0 to 100, `creditUsd`
 * one that is not negative.
 */
export function priceOf(packageType: PackageType, percent = "0", creditUsd = "0"): Price {
  return discounted(packages[packageType].priceUsd, percent, creditUsd);
}

/** Price times (1 minus percent/100), not rounded (QUOTE-3, QUOTE-4), minus the credit, never below 0. */
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
