/** What other features may call. */
export { findCoupon, findRunningCoupon } from "./find.ts";
export { hasUseLeft, holdUse } from "./uses.ts";
