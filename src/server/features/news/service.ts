/** What the rest of the server may call. */
export { newsMailingJob } from "./mailing.ts";
