/** What other features may call. */
export { findActiveCoupon, findCoupon } from "./find.ts";
