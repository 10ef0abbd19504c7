import { packageTypes } from "#domain/packages";
import { launchCoupon, launchOffer, type LaunchOffer } from "#domain/payments/coupon";
import type { Dependencies } from "../../dependencies.ts";
import type { Principal } from "../../platform/http/access.ts";
import { findActiveCoupon } from "../coupons/service.ts";
import { refusalToSell } from "./for-sale.ts";

/** Returns what the launch coupon takes off for a student now; undefined while it is off or of no use to them (COUPON-4). */
export async function findLaunchOffer(deps: Dependencies, student: Principal): Promise<LaunchOffer | undefined> {
  const coupon = await findActiveCoupon(deps.db, launchCoupon.code);
  if (!coupon) return undefined;
  const refusals = await Promise.all(packageTypes.map((packageType) => refusalToSell(deps.db, student, packageType)));
  return launchOffer(
    coupon,
    packageTypes.filter((_type, index) => refusals[index] === undefined),
  );
}
