/** What the rest of the server may call. A tier is set by `changeTier` of payment requests, whose mails depend on it. */
export { holdTier, lockTier, updateTier, type HeldTier, type LockedTier } from "./queries.ts";
export { exportUsers } from "./export.ts";
