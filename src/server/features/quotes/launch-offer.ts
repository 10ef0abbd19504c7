import { packageTypes } from "#domain/packages";
import { launchCoupon, launchOffer, type LaunchOffer } from "#domain/payments/coupon";
import type { Dependencies } from "../../dependencies.ts";
import type { Principal } from "../../platform/http/access.ts";
import { findByCode, refusalOfCoupon } from "../coupons/service.ts";
import { refusalToSell } from "./for-sale.ts";

/** Returns what the launch coupon takes off for a student now; undefined while it does not apply or is of no use to them (COUPON-4). */
export async function findLaunchOffer(deps: Dependencies, student: Principal): Promise<LaunchOffer | undefined> {
  const coupon = await findByCode(deps.db, launchCoupon.code);
  if (!coupon) return undefined;
  const now = deps.clock.now();
  const offered = await Promise.all(
    packageTypes.map(async (packageType) => {
      const holder = { userId: student.id, packageType };
      const refusal =
        (await refusalOfCoupon(deps.db, coupon, holder, now)) ?? (await refusalToSell(deps.db, student, packageType));
      return refusal ? [] : [packageType];
    }),
  );
  return launchOffer(coupon, offered.flat());
}
