/** What the rest of the server may call. */
export { dropUnreadable } from "./drop.ts";
export { newsMailingJob } from "./mailing.ts";
