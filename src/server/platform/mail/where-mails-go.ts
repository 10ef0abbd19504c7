import type { Dependencies } from "../../dependencies.ts";

/** Returns where the site's mails go: to a mail server, to the console and the page /mailbox, to the console alone, or nowhere (MAIL-2). */
export function whereMailsGo({
  config,
  mailboxToken,
}: Pick<Dependencies, "config" | "mailboxToken">): "smtp" | "mailbox" | "console" | "nowhere" {
  if (config.mail.smtpUrl !== undefined) return "smtp";
  if (config.operation.production) return "nowhere";
  return mailboxToken === undefined ? "console" : "mailbox";
}
