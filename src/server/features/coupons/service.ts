/** What the rest of the server may call. */
export { findCoupon, findRunningCoupon, refusalOfCoupon } from "./find.ts";
export { holdUse } from "./uses.ts";
