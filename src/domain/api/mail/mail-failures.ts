import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { pageOf, pageQuery, timestamp } from "../fields.ts";

/** A mail that was given up. */
export const MailFailure = z.object({
  id: z.int(),
  recipient: z.string(),
  subject: z.string(),
  /** What the mail server or the system said. */
  reason: z.string(),
  created_at: timestamp,
  failed_at: timestamp,
  /** False when its text is gone, or its code or link has expired. */
  can_send_again: z.boolean(),
});
export type MailFailure = z.infer<typeof MailFailure>;

/** Mails that failed and will be tried again. */
export const WaitingMails = z.object({ count: z.int(), oldest_at: timestamp, reason: z.string() });
export type WaitingMails = z.infer<typeof WaitingMails>;

const params = z.object({ params: z.object({ id: z.coerce.number().check(z.int(), z.gte(1)) }) });

export const mailFailures = {
  list: oc
    .route({
      method: "GET",
      path: "/api/mail-failures",
      summary: "Mails that were given up, newest first, and those that wait",
    })
    .input(z.object(pageQuery))
    .output(z.extend(pageOf(MailFailure), { waiting: z.nullable(WaitingMails) })),
  sendAgain: oc
    .route({
      method: "POST",
      path: "/api/mail-failures/{id}/send-again",
      inputStructure: "detailed",
      summary: "Try a given-up mail again",
    })
    .input(params)
    .output(z.object({ queued: z.literal(true) })),
  dismiss: oc
    .route({ method: "DELETE", path: "/api/mail-failures/{id}", inputStructure: "detailed", summary: "Forget a given-up mail" })
    .input(params)
    .output(z.object({ deleted: z.literal(true) })),
};
