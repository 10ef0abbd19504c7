import type { TestMail } from "#domain/api/mail/test-mail";
import type { Dependencies } from "../../dependencies.ts";
import type { OutboxRow } from "../../platform/mail/queries.ts";
import { whereMailsGo } from "../../platform/mail/where-mails-go.ts";

/** Returns a test mail as the admin sees it, with where the site's mails go. */
export function testMailView(row: OutboxRow, deps: Dependencies): TestMail {
  return {
    id: row.id,
    recipient: row.recipient,
    created_at: row.created_at.toISOString(),
    state: stateOf(row),
    reason: row.last_error,
    goes_to: whereMailsGo(deps),
  };
}

function stateOf({ sent_at, next_attempt_at, last_error }: OutboxRow): TestMail["state"] {
  if (sent_at !== null) return "sent";
  if (next_attempt_at === null) return "failed";
  return last_error === null ? "waiting" : "retrying";
}
