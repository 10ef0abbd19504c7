/** What other features, `main.ts` and the retention job call of this feature. */
export { liveSessionJob } from "./job.ts";
export { removeLiveSessions } from "./manage.ts";
export { liveSessionRemovals } from "./retention.ts";
