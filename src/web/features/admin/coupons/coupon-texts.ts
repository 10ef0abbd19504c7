import type { Coupon, CouponChanges } from "#domain/api/payments/coupons";
import type { CouponPackages, CouponState } from "#domain/payments/coupon";
import { counted, dateTime, usd } from "../../../platform/format.ts";
import type { Tone } from "../../../ui/badge.tsx";

export const packagesNames: Record<CouponPackages, string> = {
  both: "Both packages",
  starter: "Starter only",
  advanced: "Advanced only",
};

export const stateNames: Record<CouponState, string> = {
  active: "Active",
  scheduled: "Scheduled",
  used_up: "Used up",
  ended: "Ended",
  off: "Off",
};

export const stateTones: Record<CouponState, Tone> = {
  active: "gain",
  scheduled: "accent",
  used_up: "caution",
  ended: "neutral",
  off: "neutral",
};

/** What a coupon takes off each package that it is for. */
function percentText({ packages, discount_starter, discount_advanced }: Coupon): string {
  if (packages === "starter") return `Starter only, ${discount_starter}%`;
  if (packages === "advanced") return `Advanced only, ${discount_advanced}%`;
  return `Starter ${discount_starter}% · Advanced ${discount_advanced}%`;
}

/** When a coupon applies, in the reader's time zone; undefined for always. */
function periodText({ starts_at, ends_at }: Coupon): string | undefined {
  if (starts_at === null) return ends_at === null ? undefined : `Until ${dateTime(ends_at)}`;
  return ends_at === null ? `From ${dateTime(starts_at)}` : `From ${dateTime(starts_at)} until ${dateTime(ends_at)}`;
}

/** The requests with a coupon and what they come to. */
export function usesText({ approved_uses, approved_usd, pending_uses, pending_usd }: Coupon): string {
  const parts = [
    ...(approved_uses > 0 ? [`${approved_uses} approved, ${usd(approved_usd)}`] : []),
    ...(pending_uses > 0 ? [`${pending_uses} pending, ${usd(pending_usd)}`] : []),
  ];
  return parts.length === 0 ? "Not used yet" : parts.join(" · ");
}

/** How much of the limit is used; undefined without one. */
function limitText({ max_uses, approved_uses, pending_uses, held_uses }: Coupon): string | undefined {
  if (max_uses === null) return undefined;
  const used = `${approved_uses + pending_uses} of ${counted(max_uses, "use")}`;
  return held_uses === 0 ? used : `${used}, ${held_uses} held by open quotes`;
}

/** The line of a coupon that states each of its terms; the badge says whether it is active. */
const lineOf: Record<Exclude<keyof CouponChanges, "active">, (coupon: Coupon) => string | undefined> = {
  packages: percentText,
  discount_starter: percentText,
  discount_advanced: percentText,
  starts_at: periodText,
  ends_at: periodText,
  max_uses: limitText,
};

/** Returns the lines that state what a coupon's terms are; a term that sets no limit has none. */
export function termLines(coupon: Coupon): string[] {
  return [...new Set(Object.values(lineOf))].map((line) => line(coupon)).filter((line) => line !== undefined);
}
