import { packageTypes } from "#domain/packages";
import { isForPackage, launchCoupon, launchOffer, type LaunchOffer } from "#domain/payments/coupon";
import type { Dependencies } from "../../dependencies.ts";
import type { Principal } from "../../platform/http/access.ts";
import { findRunningCoupon, hasUseLeft } from "../coupons/service.ts";
import { refusalToSell } from "./for-sale.ts";

/** Returns what the launch coupon takes off for a student now; undefined while it does not apply or is of no use to them (COUPON-4). */
export async function findLaunchOffer(deps: Dependencies, student: Principal): Promise<LaunchOffer | undefined> {
  const now = deps.clock.now();
  const coupon = await findRunningCoupon(deps.db, launchCoupon.code, now);
  if (!coupon) return undefined;
  const offered = await Promise.all(
    packageTypes.map(async (packageType) => {
      if (!isForPackage(coupon, packageType) || (await refusalToSell(deps.db, student, packageType))) return [];
      return (await hasUseLeft(deps.db, coupon, { userId: student.id, packageType }, now)) ? [packageType] : [];
    }),
  );
  return launchOffer(coupon, offered.flat());
}
