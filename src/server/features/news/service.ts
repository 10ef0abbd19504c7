/** What the start of the server calls of this feature. */
export { newsMailingJob } from "./mailing.ts";
