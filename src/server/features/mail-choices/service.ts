/** What the rest of the server may call: who wants a kind of mail, and the links below it (MAIL-8, MAIL-9). */
export { choiceLinks } from "./links.ts";
export { stillWanting, wantsMail } from "./queries.ts";
