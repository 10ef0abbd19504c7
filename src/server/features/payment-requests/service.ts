/** What the rest of the server may call. */
export { chainRemovals } from "./chain/retention.ts";
export { chainJobs } from "./chain/job.ts";
export { flagJob } from "./flags/job.ts";
export { listOwnPaymentRequests, typicalApprovalSeconds } from "./read.ts";
export { findOldestPending } from "./queries.ts";
export { changeTier, withdrawRests } from "./rest/change-tier.ts";
export { slipJob } from "./slips/job.ts";
export { exportMonths } from "./export/months.ts";
export { exportPayments } from "./export/payments.ts";
