import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { ProductError } from "#domain/errors/messages";
import { isRunning } from "#domain/payments/coupon";
import { secondsAfter } from "../../platform/clock.ts";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import * as queries from "./queries.ts";

/** Seconds after its end for which a quote still holds a use, since a submit may have begun before. */
const graceSeconds = 60;

/** Returns the times by which coupons are judged at `now`. */
export function timesAt(now: Date): queries.CouponTimes {
  return { now, openAfter: secondsAfter(now, -graceSeconds), madeBy: secondsAfter(now, clockToleranceSeconds) };
}

/** Returns whether a student may have a use of a coupon; their own quotes for the package do not count against them (COUPON-7). */
export async function hasUseLeft(
  connection: Connection,
  { code, max_uses }: queries.CouponRow,
  holder: queries.CouponHolder,
  now: Date,
): Promise<boolean> {
  if (max_uses === null) return true;
  return (await queries.countOthersUses(connection, code, timesAt(now), holder)) < max_uses;
}

/**
 * Holds a use of a coupon for the quote that the same transaction stores, so that of many students at once only as many get one as
 * there are (COUPON-7). Throws `coupon_invalid` when the coupon has just ended, `coupon_used_up`, or `unavailable` when its limit was
 * set at this moment.
 */
export async function holdUse(
  tx: Transaction,
  found: queries.CouponRow,
  holder: queries.CouponHolder,
  now: Date,
): Promise<void> {
  // Quotes with a coupon without a limit need not wait for one another, only for a change of the coupon.
  const coupon = await queries.lockByCode(tx, found.code, found.max_uses === null ? "share" : "update");
  if (!coupon || !isRunning(coupon, now)) throw new ProductError("coupon_invalid");
  if (found.max_uses === null && coupon.max_uses !== null) throw new ProductError("unavailable");
  if (!(await hasUseLeft(tx, coupon, holder, now))) throw new ProductError("coupon_used_up");
}
