import type { Config } from "../../config.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Secrets } from "../secrets.ts";
import * as queries from "./queries.ts";
import { openBody } from "./seal.ts";

/** Mails that one statement marks as sent. */
const printedAtOnce = 100;

/**
 * Returns a function that delivers all that is due without SMTP and leaves nothing to claim: prints one line for each mail and keeps the sealed text for the mailbox. In
 * production, where codes and links do not belong in a log, mails are not sent, and one warning is logged.
 */
export function toConsole(
  { config, db, clock, secrets }: { config: Config; db: Database; clock: Clock; secrets: Secrets },
  log: (line: string) => void,
): () => Promise<undefined> {
  let hasSaid = false;
  const print = ({ recipient, subject, sealed_body }: queries.PrintedMail): void => {
    const highlight = sealed_body && highlightOf(secrets, recipient, sealed_body);
    log(`Mail to ${recipient}: ${subject}${highlight ? ` · ${highlight}` : ""}`);
  };
  return async () => {
    let mails: queries.PrintedMail[];
    do {
      mails = await queries.takeDue(db, { now: clock.steady(), sentAt: clock.now() }, printedAtOnce);
      if (!config.operation.production) mails.forEach(print);
      else if (mails.length > 0 && !hasSaid) {
        log("Mails go nowhere, since SMTP_URL is not set: nobody gets a code or a link.");
        hasSaid = true;
      }
    } while (mails.length === printedAtOnce);
    return undefined;
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
