/** What the rest of the server may call. */
export { filmJob } from "./films/job.ts";
export { removeBytes } from "./files.ts";
export { deleteEmptyModules } from "./modules/queries.ts";
export { summariseProgress } from "./progress/read.ts";
export { removeFoundVideos } from "./remove-found.ts";
