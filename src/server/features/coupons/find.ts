import { ProductError, type ErrorCode } from "#domain/errors/messages";
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
  const refusal = await refusalOfCoupon(deps.db, coupon, holder, now);
  if (refusal) throw new ProductError(refusal);
  return coupon;
}

/** Returns the coupon of an exact code that applies now (COUPON-5). */
export async function findRunningCoupon(connection: Connection, code: string, now: Date): Promise<CouponRow | undefined> {
  const coupon = await findByCode(connection, code);
  return coupon && isRunning(coupon, now) ? coupon : undefined;
}

/** Returns why a coupon that applies now is of no use to a student for a package (COUPON-6, COUPON-7); undefined when it is. */
export async function refusalOfCoupon(
  connection: Connection,
  coupon: CouponRow,
  holder: CouponHolder,
  now: Date,
): Promise<ErrorCode | undefined> {
  if (!isForPackage(coupon, holder.packageType)) return "coupon_other_package";
  // The quote checks it again when it holds the use, after an address was given.
  return (await hasUseLeft(connection, coupon, holder, now)) ? undefined : "coupon_used_up";
}
