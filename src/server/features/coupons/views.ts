import type { Coupon } from "#domain/api/payments/coupons";
import { canonical } from "#domain/money";
import type { UsedCouponRow } from "./queries.ts";

/** Returns a coupon as the admin sees it, with decimals in canonical form. */
export function couponView(row: UsedCouponRow): Coupon {
  return {
    ...row,
    discount_starter: canonical(row.discount_starter),
    discount_advanced: canonical(row.discount_advanced),
    starts_at: row.starts_at?.toISOString() ?? null,
    ends_at: row.ends_at?.toISOString() ?? null,
    pending_usd: canonical(row.pending_usd),
    approved_usd: canonical(row.approved_usd),
  };
}
