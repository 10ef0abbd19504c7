/** What other features may call. */
export { currentSettings } from "./current.ts";
export { priceRefreshJob } from "./prices/job.ts";
