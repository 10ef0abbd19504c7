import type { Config } from "../../config.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Secrets } from "../secrets.ts";
import * as queries from "./queries.ts";
import { openBody } from "./seal.ts";

/**
 * Delivers without SMTP: prints one line and keeps the sealed text for the mailbox. In production, where codes and links do not belong in
 * a log, mails are not sent, and one warning is logged.
 */
export function toConsole(
  { config, db, clock, secrets }: { config: Config; db: Database; clock: Clock; secrets: Secrets },
  log: (line: string) => void,
): (row: queries.OutboxRow) => Promise<void> {
  let hasSaid = false;
  return async (row) => {
    await queries.finishAttempt(db, row, { sent_at: row.sent_at ?? clock.now(), next_attempt_at: null });
    if (config.operation.production) {
      if (!hasSaid) log("Mails go nowhere, since SMTP_URL is not set: nobody gets a code or a link.");
      hasSaid = true;
      return;
    }
    const highlight = row.sealed_body && highlightOf(secrets, row.recipient, row.sealed_body);
    log(`Mail to ${row.recipient}: ${row.subject}${highlight ? ` · ${highlight}` : ""}`);
  };
}

function highlightOf(secrets: Secrets, recipient: string, sealed: Buffer): string | undefined {
  try {
    return openBody(secrets.mailKey, recipient, sealed).highlight;
  } catch {
    // Sealed by secrets of another data folder: the line is printed without it.
    return undefined;
  }
}
