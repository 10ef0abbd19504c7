import { ProductError } from "#domain/errors/messages";
import { isForPackage, isRunning } from "#domain/payments/coupon";
import type { Dependencies } from "../../dependencies.ts";
import type { Connection } from "../../platform/db/database.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { findByCode, type CouponHolder, type CouponRow } from "./queries.ts";
import { hasUseLeft } from "./uses.ts";

const couponLimit: Limit = { name: "coupon", points: 20, seconds: 600 };

/**
 * Returns the coupon of an exact code, as a student sent it for a package (COUPON-1). Throws `coupon_empty`, `coupon_invalid` also
 * outside of its period (COUPON-5), `coupon_other_package`, `coupon_used_up` or `too_many_requests`; tries are counted per account.
 */
export async function findCoupon(deps: Dependencies, code: string, holder: CouponHolder): Promise<CouponRow> {
  if (code.trim() === "") throw new ProductError("coupon_empty");
  await deps.limits.consume(couponLimit, holder.userId);
  const now = deps.clock.now();
  const coupon = await findRunningCoupon(deps.db, code, now);
  if (!coupon) throw new ProductError("coupon_invalid");
  if (!isForPackage(coupon, holder.packageType)) throw new ProductError("coupon_other_package");
  // The quote checks it again when it holds the use, after an address was given.
  if (!(await hasUseLeft(deps.db, coupon, holder, now))) throw new ProductError("coupon_used_up");
  return coupon;
}

/** Returns the coupon of an exact code that applies now (COUPON-5). */
export async function findRunningCoupon(connection: Connection, code: string, now: Date): Promise<CouponRow | undefined> {
  const coupon = await findByCode(connection, code);
  return coupon && isRunning(coupon, now) ? coupon : undefined;
}
