/** What the rest of the server may call: who wants a kind of mail, the links below it, and what a lost tier drops (MAIL-8, MAIL-9). */
export { dropUnwanted } from "./choose.ts";
export { choiceLinks } from "./links.ts";
export { stillWanting, wantsMail } from "./queries.ts";
