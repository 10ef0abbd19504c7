import type { Config } from "../../config.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Delivery } from "../delivery-worker.ts";
import type { Secrets } from "../secrets.ts";
import * as queries from "./queries.ts";
import { openBody } from "./seal.ts";

/** Mails that one statement marks as sent. */
const printedAtOnce = 100;

/**
 * Returns the delivery of mails without SMTP: they count as sent, one line is printed for each, and their sealed text stays for the mailbox. In
 * production, where codes and links do not belong in a log, one warning is logged instead.
 */
export function toConsole(
  { config, db, clock, secrets }: { config: Config; db: Database; clock: Clock; secrets: Secrets },
  log: (line: string) => void,
): Delivery<queries.PrintedMail[]> {
  let hasWarned = false;
  const print = ({ recipient, subject, sealed_body }: queries.PrintedMail): void => {
    const highlight = sealed_body && highlightOf(secrets, recipient, sealed_body);
    log(`Mail to ${recipient}: ${subject}${highlight ? ` · ${highlight}` : ""}`);
  };
  return {
    mayClaim: () => true,
    async claim() {
      const mails = await queries.claimAllDue(db, { now: clock.steady(), sentAt: clock.now() }, printedAtOnce);
      return mails.length > 0 ? mails : undefined;
    },
    async deliver(mails) {
      if (!config.operation.production) return mails.forEach(print);
      if (!hasWarned) log("Mails go nowhere, since SMTP_URL is not set: nobody gets a code or a link.");
      hasWarned = true;
    },
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
