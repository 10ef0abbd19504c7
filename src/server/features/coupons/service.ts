/** What other features may call. */
export { findCoupon } from "./find.ts";
