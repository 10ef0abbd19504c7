import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { timestamp } from "../fields.ts";

/** Whom a test mail is for: the admin's own address, or the alert email of the wallet settings. */
export const testMailRecipients = ["admin", "alert"] as const;

/** A test mail and what has become of it (MAIL-11). */
export const TestMail = z.object({
  id: z.int(),
  recipient: z.string(),
  created_at: timestamp,
  /** Retrying: an attempt has failed, of this mail or of one before it, and another will follow. */
  state: z.enum(["waiting", "retrying", "sent", "failed"]),
  /** What the mail server or the system said at the last attempt: of this mail, or, before its first, of the newest that failed and waits. */
  reason: z.nullable(z.string()),
  /** Without a mail server, mails go to the page /mailbox, to the console alone, or nowhere in production (MAIL-2). */
  goes_to: z.enum(["smtp", "mailbox", "console", "nowhere"]),
});
export type TestMail = z.infer<typeof TestMail>;

export const testMail = {
  send: oc
    .route({ method: "POST", path: "/api/test-mail", successStatus: 201, summary: "Mail a test to the admin" })
    .input(z.object({ to: z.enum(testMailRecipients) }))
    .output(TestMail),
  read: oc
    .route({ method: "GET", path: "/api/test-mail/{id}", inputStructure: "detailed", summary: "What became of a test mail" })
    .input(z.object({ params: z.object({ id: z.coerce.number().check(z.int(), z.gte(1)) }) }))
    .output(TestMail),
};
