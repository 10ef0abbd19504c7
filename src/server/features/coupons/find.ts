import type { Coupon } from "#domain/api/coupons";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import type { Connection } from "../../platform/db/database.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { findActiveByCode } from "./queries.ts";
import { couponView } from "./views.ts";

const couponLimit: Limit = { name: "coupon", points: 20, seconds: 600 };

/**
 * Returns the active coupon that a student typed: an exact match after blanks around it are cut (COUPON-1). Throws `coupon_empty`,
 * `coupon_invalid` or `too_many_requests`; tries are counted per account.
 */
export async function findCoupon(deps: Dependencies, accountId: string, typed: string): Promise<Coupon> {
  const code = typed.trim();
  if (code === "") throw new ProductError("coupon_empty");
  await deps.limits.consume(couponLimit, accountId);
  const coupon = await findActiveCoupon(deps.db, code);
  if (!coupon) throw new ProductError("coupon_invalid");
  return coupon;
}

/** Returns an active coupon by its exact code. */
export async function findActiveCoupon(connection: Connection, code: string): Promise<Coupon | undefined> {
  const row = await findActiveByCode(connection, code);
  return row && couponView(row);
}
