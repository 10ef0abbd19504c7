/** What the rest of the server may call. */
export { findCoupon, findRunningCoupon } from "./find.ts";
export { hasUseLeft, holdUse } from "./uses.ts";
