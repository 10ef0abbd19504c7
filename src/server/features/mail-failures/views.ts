import type { MailFailure } from "#domain/api/mail/mail-failures";
import { canSendAgain, type FailedRow } from "../../platform/mail/failure-queries.ts";

/** Returns a mail that was given up, as the admin sees it at `now`. */
export function mailFailureView(row: FailedRow, now: Date): MailFailure {
  return {
    id: row.id,
    recipient: row.recipient,
    subject: row.subject,
    reason: row.last_error ?? "",
    created_at: row.created_at.toISOString(),
    failed_at: row.failed_at.toISOString(),
    can_send_again: canSendAgain(row, now),
  };
}
