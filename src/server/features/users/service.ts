/** Other features read and set a student's tier in their own transaction; the audit entry is theirs. */
export { holdTier, lockTier, updateTier, type LockedTier } from "./queries.ts";
export { exportUsers } from "./export.ts";
