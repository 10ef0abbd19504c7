import { createTransport } from "nodemailer";
import type { Config } from "../../config.ts";
import { secondsAfter, type Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Secrets } from "../secrets.ts";
import { giveUpAfterSeconds, retryDelaySeconds } from "./outbox.ts";
import * as queries from "./queries.ts";
import { openBody } from "./seal.ts";

export interface SmtpParts {
  config: Config;
  secrets: Secrets;
  clock: Clock;
  db: Database;
  smtpUrl: string;
}

/** By SMTP: a mail that was taken loses its text here; one that was not is due again later, until it is given up. */
export function bySmtp(parts: SmtpParts, log: (line: string) => void): (row: queries.OutboxRow) => Promise<void> {
  const send = smtpSend(parts);
  const { db, clock } = parts;
  return async (row) => {
    if (row.sent_at !== null) return queries.finishAttempt(db, row, { next_attempt_at: null });
    try {
      await send(row);
    } catch (error) {
      const reason = (error as Error).message;
      log(`Mail ${row.id} could not be sent (attempt ${row.attempts}): ${reason}`);
      return queries.finishAttempt(db, row, { last_error: reason.slice(0, 500), next_attempt_at: nextAttempt(clock, row) });
    }
    await persistently(() =>
      queries.finishAttempt(db, row, { sent_at: clock.now(), sealed_body: null, next_attempt_at: null, last_error: null }),
    );
  };
}

function smtpSend({ config, secrets, smtpUrl }: SmtpParts): (row: queries.OutboxRow) => Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    // Well under the lease, so that no other process takes a mail that is still on its way.
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s<>]+)/.exec(config.mailFrom)?.[1] ?? "localhost";
  return async (row) => {
    if (row.sealed_body === null) throw new Error("The mail has no text.");
    const { text, html } = openBody(secrets.mailKey, row.recipient, row.sealed_body);
    await transport.sendMail({
      from: config.mailFrom,
      // As an object, because a text would be parsed as a list of addresses.
      to: { name: "", address: row.recipient },
      subject: row.subject,
      text,
      html,
      date: row.created_at,
      // The same at every attempt, so that a mail sent twice across a crash can be recognised.
      messageId: `<${row.id}.${row.created_at.getTime()}@${domain}>`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
  };
}

function nextAttempt(clock: Clock, row: queries.OutboxRow): Date | null {
  const next = secondsAfter(clock.now(), retryDelaySeconds(row.attempts));
  return next > secondsAfter(row.created_at, giveUpAfterSeconds) ? null : next;
}

/** A sent mail must be known as sent, or it would be sent again: a short loss of the database is waited out. */
async function persistently(record: () => Promise<void>): Promise<void> {
  for (let triesLeft = 10; ; triesLeft--) {
    try {
      return await record();
    } catch (error) {
      if (triesLeft === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}
