import { paragraphsOf } from "#domain/texts/linked-text";
import { composeMail, type MailSite } from "../../platform/mail/layout.ts";
import type { Mail } from "../../platform/mail/outbox.ts";
import type { Secrets } from "../../platform/secrets.ts";
import { choiceLinks } from "../mail-choices/service.ts";
import type { DueMailing, Recipient } from "./queries.ts";

/** Returns the key by which the waiting mails of an announcement are dropped. */
export const mailsKey = (newsId: string): string => `news:${newsId}`;

/** Returns the mail of an announcement to one student. */
export function newsMail(
  { site, secrets }: { site: MailSite; secrets: Secrets },
  { news_id, origin, title, body }: DueMailing,
  { id, email }: Recipient,
): Mail {
  const mail = composeMail({
    site,
    to: email,
    subject: title,
    heading: title,
    paragraphs: paragraphsOf(body),
    hasLinks: true,
    button: { label: "Open your course", url: `${origin}/student` },
    choices: choiceLinks(secrets, origin, id, "news"),
  });
  return { ...mail, replaceKey: mailsKey(news_id) };
}
