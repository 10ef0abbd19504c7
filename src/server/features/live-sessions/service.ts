/** What the rest of the server may call. */
export { liveSessionJob } from "./job.ts";
export { removeLiveSessions } from "./manage.ts";
export { liveSessionRemovals } from "./retention.ts";
