import { packageTypes, type PackageType } from "../packages.ts";
import { canonical, decimal } from "../money.ts";

/** Which packages a coupon is for (COUPON-6). */
export const couponPackages = ["both", ...packageTypes] as const;
export type CouponPackages = (typeof couponPackages)[number];

/** What the admin sees of a coupon's place in time: the first that holds of off, ended, used up, scheduled and active. */
export const couponStates = ["active", "scheduled", "used_up", "ended", "off"] as const;
export type CouponState = (typeof couponStates)[number];

/** Most uses that a limit may allow. */
export const maxCouponUses = 1_000_000;

/** Decimal strings from 0 to 100. */
interface CouponPercents {
  discount_starter: string;
  discount_advanced: string;
}

export interface Coupon extends CouponPercents {
  code: string;
  active: boolean;
}

/** The launch offer (COUPON-2); the first migration holds the same row. */
export const launchCoupon: Coupon = { code: "LUNCH", discount_starter: "50", discount_advanced: "70", active: true };

/** Returns the percent, a decimal string, that a coupon takes off a package. */
export function discountPercent(coupon: CouponPercents, packageType: PackageType): string {
  return canonical(packageType === "starter" ? coupon.discount_starter : coupon.discount_advanced);
}

/** Returns whether a coupon is for a package (COUPON-6). */
export function isForPackage({ packages }: { packages: CouponPackages }, packageType: PackageType): boolean {
  return packages === "both" || packages === packageType;
}

/** When a coupon applies: from `starts_at` on and before `ends_at`, null for no bound, while it is active. */
export interface CouponPeriod {
  active: boolean;
  starts_at: Date | null;
  ends_at: Date | null;
}

/** Returns whether a coupon applies at a time (COUPON-5). */
export function isRunning({ active, starts_at, ends_at }: CouponPeriod, now: Date): boolean {
  return active && (starts_at ?? now) <= now && (ends_at === null || now < ends_at);
}

/** Returns whether a coupon that starts at one time may end at the other; texts are ISO 8601, null is no bound. */
export function isCouponPeriod(startsAt: Date | string | null, endsAt: Date | string | null): boolean {
  return startsAt === null || endsAt === null || new Date(startsAt) < new Date(endsAt);
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

/** Returns whether a coupon takes 90% or more off a package, so that a session must be proven to make it (STEPUP-2). */
export function isSteep(coupon: CouponPercents): boolean {
  return [coupon.discount_starter, coupon.discount_advanced].some((percent) => decimal(percent).gte(90));
}

/** Returns what the student typed as a code is looked up: upper case, no outer blanks (COUPON-1). */
export function normaliseCouponInput(text: string): string {
  return text.trim().toUpperCase();
}

/** Returns whether a text is a percent that a coupon may carry: 0 to 100 with at most two decimals. */
export function isDiscountPercent(text: string): boolean {
  return /^\d{1,3}(\.\d{1,2})?$/.test(text) && decimal(text).lte(100);
}
