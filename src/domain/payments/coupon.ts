import type { PackageType } from "../packages.ts";
import { canonical, decimal } from "../money.ts";

/** A row of `coupon_codes`: percents are decimal strings from 0 to 100. */
export interface Coupon {
  code: string;
  discount_starter: string;
  discount_advanced: string;
  active: boolean;
}

/** The launch offer (COUPON-2); the first migration holds the same row. */
export const launchCoupon: Coupon = { code: "LUNCH", discount_starter: "50", discount_advanced: "70", active: true };

/** The percent, a decimal string, that a coupon takes off a package. */
export function discountPercent(coupon: Coupon, packageType: PackageType): string {
  return canonical(packageType === "starter" ? coupon.discount_starter : coupon.discount_advanced);
}

/** What a coupon takes off each package, in percent; null for a package that cannot be bought now or is not reduced. */
export interface LaunchOffer {
  code: string;
  discount_starter: string | null;
  discount_advanced: string | null;
}

/** Returns what a coupon offers a student who can buy the packages `forSale`; undefined when that is nothing (COUPON-4). */
export function launchOffer(coupon: Coupon, forSale: readonly PackageType[]): LaunchOffer | undefined {
  const offered = (packageType: PackageType): string | null => {
    const percent = discountPercent(coupon, packageType);
    return forSale.includes(packageType) && decimal(percent).gt(0) ? percent : null;
  };
  const offer = { code: coupon.code, discount_starter: offered("starter"), discount_advanced: offered("advanced") };
  const isEmpty = !coupon.active || (offer.discount_starter === null && offer.discount_advanced === null);
  return isEmpty ? undefined : offer;
}

/** Whether a coupon takes 90% or more off a package, so that a session must be proven to make it (STEPUP-2). */
export function isSteep(coupon: Pick<Coupon, "discount_starter" | "discount_advanced">): boolean {
  return [coupon.discount_starter, coupon.discount_advanced].some((percent) => decimal(percent).gte(90));
}

/** What the student typed, as the lookup takes it: upper case, no outer blanks (COUPON-1). */
export function normaliseCouponInput(text: string): string {
  return text.trim().toUpperCase();
}

/** Whether a percent is one a coupon may carry: 0 to 100 with at most two decimals. */
export function isDiscountPercent(text: string): boolean {
  return /^\d{1,3}(\.\d{1,2})?$/.test(text) && decimal(text).lte(100);
}
