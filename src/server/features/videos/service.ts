/** What the start of the server calls of this feature. */
export { startFilmJob } from "./films/job.ts";
