/** Other features read a student's tier in their own transaction. It is set by `changeTier` of payment requests, whose mails depend on it. */
export { holdTier, lockTier, updateTier, type LockedTier } from "./queries.ts";
export { exportUsers } from "./export.ts";
