/** What the start of the server calls of this feature. */
export { startNewsMailing } from "./mailing.ts";
