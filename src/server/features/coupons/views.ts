import type { Coupon } from "#domain/api/coupons";
import { canonical } from "#domain/money";
import type { CouponRow } from "./queries.ts";

/** Returns a coupon with its percents in canonical decimal form. */
export function couponView(row: CouponRow): Coupon {
  return {
    ...row,
    discount_starter: canonical(row.discount_starter),
    discount_advanced: canonical(row.discount_advanced),
  };
}
