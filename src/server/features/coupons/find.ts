import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { findByCode, type CouponHolder, type CouponRow } from "./queries.ts";
import { refusalOfCoupon } from "./uses.ts";

const couponLimit: Limit = { name: "coupon", points: 20, seconds: 600 };

/**
 * Returns the coupon of an exact code, as a student sent it for a package (COUPON-1). Throws `coupon_empty`, `coupon_invalid`, what
 * `refusalOfCoupon` returns, or `too_many_requests`; tries are counted per account. The quote checks it again when it holds the use.
 */
export async function findCoupon(deps: Dependencies, code: string, holder: CouponHolder): Promise<CouponRow> {
  if (code.trim() === "") throw new ProductError("coupon_empty");
  await deps.limits.consume(couponLimit, holder.userId);
  const coupon = await findByCode(deps.db, code);
  if (!coupon) throw new ProductError("coupon_invalid");
  const refusal = await refusalOfCoupon(deps.db, coupon, holder, deps.clock.now());
  if (refusal) throw new ProductError(refusal);
  return coupon;
}
