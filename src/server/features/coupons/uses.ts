import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { isForPackage, isRunning } from "#domain/payments/coupon";
import { secondsAfter } from "../../platform/clock.ts";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import * as queries from "./queries.ts";

/** Seconds after its end for which a quote still holds a use, since a submit may have begun before. */
const graceSeconds = 60;

/** Returns the times by which coupons are judged at `now`. */
export function timesAt(now: Date): queries.CouponTimes {
  return { now, openAfter: secondsAfter(now, -graceSeconds), madeBy: secondsAfter(now, clockToleranceSeconds) };
}

/**
 * Returns why a coupon is of no use to a student for a package now (COUPON-5, COUPON-6, COUPON-7); undefined when it is. Their own quotes for
 * the package do not count against them.
 */
export async function refusalOfCoupon(
  connection: Connection,
  coupon: queries.CouponRow,
  holder: queries.CouponHolder,
  now: Date,
): Promise<ErrorCode | undefined> {
  if (!isRunning(coupon, now)) return "coupon_invalid";
  if (!isForPackage(coupon, holder.packageType)) return "coupon_other_package";
  if (coupon.max_uses === null) return undefined;
  const uses = await queries.countOthersUses(connection, coupon.code, timesAt(now), holder);
  return uses < coupon.max_uses ? undefined : "coupon_used_up";
}

/**
 * Holds a use of a coupon for the quote that the same transaction stores, so that of many students at once only as many get one as
 * there are (COUPON-7). Throws what `refusalOfCoupon` returns, or `unavailable` when its limit was set at this moment.
 */
export async function holdUse(
  tx: Transaction,
  found: queries.CouponRow,
  holder: queries.CouponHolder,
  now: Date,
): Promise<void> {
  // Quotes with a coupon without a limit need not wait for one another, only for a change of the coupon.
  const coupon = await queries.lockByCode(tx, found.code, found.max_uses === null ? "share" : "update");
  if (!coupon) throw new ProductError("coupon_invalid");
  if (found.max_uses === null && coupon.max_uses !== null) throw new ProductError("unavailable");
  const refusal = await refusalOfCoupon(tx, coupon, holder, now);
  if (refusal) throw new ProductError(refusal);
}
