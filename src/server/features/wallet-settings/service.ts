/** What the rest of the server may call. */
export { currentSettings, type CurrentSettings } from "./current.ts";
export { pricesUpdatedAt } from "./prices/store.ts";
export { priceRefreshJob } from "./prices/job.ts";
export { removeSampleDestinations } from "./remove-sample.ts";
export { guardRemovals } from "./guard/retention.ts";
