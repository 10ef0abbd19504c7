/** What other features may call. */
export { currentSettings, type CurrentSettings } from "./current.ts";
export { priceRefreshJob } from "./prices/job.ts";
export { guardRemovals } from "./guard/retention.ts";
