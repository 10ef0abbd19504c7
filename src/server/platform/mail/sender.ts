import type { Config } from "../../config.ts";
import { secondsAfter, type Clock } from "../clock.ts";
import type { Connection, Database } from "../db/database.ts";
import { errorWriter } from "../logging/logger.ts";
import type { ChangeFeed } from "../realtime/changes.ts";
import type { Secrets } from "../secrets.ts";
import { toConsole } from "./console-delivery.ts";
import { leaseSeconds, type Mail, type Outbox } from "./outbox.ts";
import * as queries from "./queries.ts";
import { sealBody } from "./seal.ts";
import { bySmtp } from "./smtp-delivery.ts";
import { startWorker } from "./worker.ts";

export interface OutboxParts {
  config: Config;
  secrets: Secrets;
  clock: Clock;
  db: Database;
  changes: ChangeFeed;
  /** Where mails are told when there is no SMTP, and why a mail could not be sent. */
  log?: (line: string) => void;
  /** How often to look for mails that are due again, in milliseconds. */
  pollMs?: number;
}

/**
 * Starts the mailer: it wakes when any process writes a mail, and every few seconds for those that failed before. Without SMTP
 * a mail counts as sent at once; its text stays, sealed, for the mailbox. `stop` waits for what is being sent.
 */
export function startOutbox(parts: OutboxParts): Outbox & { stop(): Promise<void> } {
  const { config, secrets, clock, db, changes } = parts;
  const log = parts.log ?? ((line: string) => console.log(line));
  const writeError = errorWriter(log);
  const deliver = config.smtpUrl === undefined ? toConsole(parts, log) : bySmtp({ ...parts, smtpUrl: config.smtpUrl }, log);
  const worker = startWorker({
    claim() {
      const now = clock.now();
      return queries.claimDue(db, now, secondsAfter(now, leaseSeconds));
    },
    deliver,
    onError: (error) => writeError("The mailer waits", error),
  });
  const unsubscribe = changes.subscribe((event) => {
    if (event.topic === "mail" || event.topic === "gap") worker.wake();
  });
  const timer = setInterval(worker.wake, parts.pollMs ?? 5000);
  worker.wake();

  return {
    async enqueue(connection: Connection, mail: Mail) {
      const { to, subject, text, html, highlight } = mail;
      const now = clock.now();
      await queries.insert(connection, {
        recipient: to,
        subject: subject.replace(/\p{Cc}+/gu, " "),
        sealed_body: sealBody(secrets.mailKey, to, { text, html, highlight }),
        created_at: now,
        next_attempt_at: now,
        sent_at: config.smtpUrl === undefined ? now : null,
      });
    },
    async stop() {
      unsubscribe();
      clearInterval(timer);
      await worker.stop();
    },
  };
}
