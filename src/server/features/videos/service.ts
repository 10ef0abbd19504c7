/** What the start of the server calls of this feature. */
export { filmJob } from "./films/job.ts";
