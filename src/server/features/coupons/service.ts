/** What the rest of the server may call. */
export { findCoupon } from "./find.ts";
export { findByCode } from "./queries.ts";
export { holdUse, refusalOfCoupon } from "./uses.ts";
