import { bigint, boolean, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { optionalMailKinds } from "#domain/mail-choices";
import { bytes, timestamptz } from "./columns.ts";

/** The cause of a failed attempt to send a mail: the SMTP server, the mail itself, or no reply in time. */
const failureKinds = ["server", "mail", "stalled"] as const;
export type FailureKind = (typeof failureKinds)[number];

export const mailOutbox = pgTable("mail_outbox", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  recipient: text().notNull(),
  subject: text().notNull(),
  sealed_body: bytes(),
  created_at: timestamptz("created_at").notNull(),
  next_attempt_at: timestamptz("next_attempt_at"),
  attempts: integer().notNull().default(0),
  sent_at: timestamptz("sent_at"),
  last_error: text(),
  expires_at: timestamptz("expires_at"),
  replace_key: text(),
  attempted_at: timestamptz("attempted_at"),
  failure_kind: text({ enum: failureKinds }),
  failed_at: timestamptz("failed_at"),
  is_optional: boolean().notNull().default(false),
  may_repeat: boolean().notNull().default(false),
  request_id: uuid(),
  account_id: uuid(),
  optional_kind: text({ enum: optionalMailKinds }),
  requeued_at: timestamptz("requeued_at"),
});

export const mailChoices = pgTable(
  "mail_choices",
  {
    account_id: uuid().notNull(),
    kind: text({ enum: optionalMailKinds }).notNull(),
    wanted: boolean().notNull(),
    chosen_at: timestamptz("chosen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.kind] })],
);
