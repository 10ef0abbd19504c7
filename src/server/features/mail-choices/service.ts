/** Other features mail what can be turned off to those who want it, with `choiceLinks` below it (MAIL-8, MAIL-9). */
export { choiceLinks } from "./links.ts";
export { findWanting, wantsMail } from "./queries.ts";
