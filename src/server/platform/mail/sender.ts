import type { Config } from "../../config.ts";
import { secondsAfter, type Clock } from "../clock.ts";
import type { Connection, Database } from "../db/database.ts";
import type { mailOutbox } from "../db/schema.ts";
import { DeliveryWorker, type Delivery } from "../delivery-worker.ts";
import { errorWriter } from "../logging/logger.ts";
import { currentRequestId } from "../logging/request-id.ts";
import type { ChangeFeed } from "../realtime/changes.ts";
import type { Secrets } from "../secrets.ts";
import { toConsole } from "./console-delivery.ts";
import { throttled } from "../throttled.ts";
import { leaseSeconds, type Mail, type Outbox } from "./outbox.ts";
import * as queries from "./queries.ts";
import { redirect } from "./redirect.ts";
import { sealBody } from "./seal.ts";
import { SmtpDelivery } from "./smtp/delivery.ts";

export interface OutboxParts {
  config: Config;
  secrets: Secrets;
  clock: Clock;
  db: Database;
  changes: ChangeFeed;
  /** Receives mails when there is no SMTP, and one line for each outage. */
  log?: (line: string) => void;
  /** How often to look for mails that are due again, in milliseconds. */
  pollMs?: number;
  /** The longest one attempt may take, in milliseconds. */
  deadlineMs?: number;
}

/** The outbox of one process, with its worker for tests and metrics to look at. */
export interface Mailer extends Outbox {
  readonly worker: DeliveryWorker<unknown>;
  /** Undefined without SMTP. */
  readonly smtp: SmtpDelivery | undefined;
  stop(): Promise<void>;
}

/**
 * Starts the mailer: it wakes when any process writes a mail, and every few seconds for those that failed before. Without SMTP
 * a mail counts as sent at once; its text stays, sealed, for the mailbox. `stop` waits a few seconds for mails on their way.
 */
export function startOutbox(parts: OutboxParts): Mailer {
  const { config, clock, db, changes } = parts;
  // Stryker disable next-line ArrowFunction: tests listen by a log of their own.
  const log = parts.log ?? ((line: string) => console.log(line));
  const writeError = errorWriter(log);
  const smtp =
    config.mail.smtpUrl === undefined ? undefined : new SmtpDelivery({ ...parts, log, smtpUrl: config.mail.smtpUrl });
  const lease = () => ({ now: clock.steady(), leaseEnd: secondsAfter(clock.steady(), leaseSeconds) });
  const workerOf = <Row>(delivery: Delivery<Row>) =>
    new DeliveryWorker<Row>({
      clock,
      pollMs: parts.pollMs ?? 5000,
      onError: (error) => writeError("The mailer waits", error),
      endFutureWaits: () => queries.endFutureWaits(db, lease()),
      ...delivery,
    });
  const worker = smtp
    ? workerOf<queries.OutboxRow>({
        mayClaim: () => smtp.health.mayTry(),
        claim: (busy) =>
          queries.claimDue(
            db,
            lease(),
            busy.map(({ id }) => id),
          ),
        deliver: (row, stop) => smtp.deliver(row, stop),
      })
    : workerOf(toConsole(parts, log));
  const wake = throttled(() => worker.wake());
  const unsubscribe = changes.subscribe((event) => {
    if (event.topic === "mail" || event.topic === "gap") wake();
  });

  return {
    worker,
    smtp,
    enqueue: (connection, mail) => enqueue(parts, connection, mail),
    enqueueAll: (connection, mails) =>
      queries.insert(
        connection,
        mails.map((mail) => rowOf(parts, mail)),
      ),
    cancel: queries.dropWaiting,
    cancelOptional: queries.dropOptional,
    withdraw: queries.withdraw,
    withdrawAll: queries.withdrawAll,
    redirect: (tx, move) => redirect(parts, tx, move),
    async stop() {
      unsubscribe();
      await worker.stop();
    },
  };
}

async function enqueue(parts: OutboxParts, connection: Connection, mail: Mail): Promise<number> {
  // Stryker disable next-line ConditionTrue: no row has the key of a mail without one.
  if (mail.replaceKey !== undefined) {
    await queries.dropWaiting(connection, mail.replaceKey, "Not sent, because a newer mail replaced it.");
  }
  return queries.insertOne(connection, rowOf(parts, mail));
}

function rowOf({ config, secrets, clock }: OutboxParts, mail: Mail): typeof mailOutbox.$inferInsert {
  const { to, text, html, highlight, choice, unsubscribeUrl, accountId } = mail;
  const now = clock.now();
  return {
    recipient: to,
    subject: mail.subject.replace(/\p{Cc}+/gu, " "),
    sealed_body: sealBody(secrets.mailKey, to, { text, html, highlight, unsubscribeUrl, accountId }),
    created_at: now,
    next_attempt_at: clock.steady(),
    sent_at: config.mail.smtpUrl === undefined ? now : null,
    is_optional: choice !== undefined,
    expires_at: mail.expiresAt ?? null,
    replace_key: mail.replaceKey ?? null,
    account_id: choice?.accountId ?? null,
    optional_kind: choice?.kind ?? null,
    request_id: currentRequestId() ?? null,
  };
}
