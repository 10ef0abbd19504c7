import { changeNews, nok } from "./rows.ts";
import type { Refusal } from "./parts.ts";

/** What the database refuses of mails, choices about them, and news: what must not be, the statement that tries, the constraint. */
export const mailRefusals: Refusal[] = [
  [
    "an unknown kind of failure of a mail",
    "insert into mail_outbox (recipient, subject, created_at, failure_kind) values ('', '', now(), 'bad luck')",
    "mail_outbox_failure_kind_check",
  ],
  [
    "an optional mail of an unknown kind",
    "insert into mail_outbox (recipient, subject, created_at, optional_kind) values ('', '', now(), 'adverts')",
    "mail_outbox_optional_kind_check",
  ],
  ["news without a title", changeNews("title = ''"), "news_title_check"],
  ["news with a title of 121 letters", changeNews("title = repeat('t', 121)"), "news_title_check"],
  ["news without a text", changeNews("body = ''"), "news_body_check"],
  ["news for an unknown audience", changeNews("audience = 'gold'"), "news_audience_check"],
  [
    "news published twice by one click",
    "insert into news (title, body, audience, published_at, idempotency_key) select title, body, audience, now(), idempotency_key from news",
    "news_idempotency_key_key",
  ],
  ["less than no mails of news", "update news_mailings set mails = -1", "news_mailings_mails_check"],
  [
    "a choice about an unknown kind of mail",
    `insert into mail_choices values (${nok}, 'adverts', true, now())`,
    "mail_choices_kind_check",
  ],
];
