import { setTimeout as pause } from "node:timers/promises";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Config } from "../../../config.ts";
import { secondsAfter, type Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { isLoopbackHost } from "../../http/client/loopback.ts";
import type { Secrets } from "../../secrets.ts";
import { deliveryDeadlineMs, giveUpAfterSeconds, retryDelaySeconds } from "../outbox.ts";
import * as queries from "../queries.ts";
import { openBody, type MailBody } from "../seal.ts";
import { smtpFailure, UnreadableMail, type SmtpFailure } from "./failure.ts";
import { SmtpHealth } from "./health.ts";

export interface SmtpParts {
  config: Config;
  secrets: Secrets;
  clock: Clock;
  db: Database;
  smtpUrl: string;
  log: (line: string) => void;
  /** The longest one attempt may take, in milliseconds. */
  deadlineMs?: number | undefined;
}

interface Attempt {
  signal: AbortSignal;
  /** Called once the server gets the text: before, it cannot have taken the mail (MAIL-12). */
  onText: () => void;
}

type Send = (row: queries.OutboxRow, attempt: Attempt) => Promise<void>;

/** Sends claimed mails by SMTP and records how each attempt ended. */
export class SmtpDelivery {
  readonly health: SmtpHealth;
  readonly #parts: SmtpParts;
  readonly #send: Send;

  constructor(parts: SmtpParts) {
    this.#parts = parts;
    this.#send = smtpSend(parts);
    this.health = new SmtpHealth(parts.clock, parts.log);
  }

  /** Tries one mail. `stop` cuts the attempt off. */
  async deliver(row: queries.OutboxRow, stop: AbortSignal): Promise<void> {
    const { db, clock } = this.#parts;
    if (row.sent_at !== null) return queries.finishAttempt(db, row, { next_attempt_at: null });
    if (row.expires_at !== null && row.expires_at <= clock.now()) return this.#drop(row);
    const isProbe = this.health.outage !== undefined;
    if (isProbe) this.health.isProbing = true;
    const deadline = AbortSignal.timeout(this.#parts.deadlineMs ?? deliveryDeadlineMs);
    let isTextSent = false;
    const onText = (): void => void (isTextSent = true);
    try {
      await this.#send(row, { signal: AbortSignal.any([stop, deadline]), onText });
    } catch (error) {
      if (stop.aborted) return await this.#release(row, isTextSent);
      return await this.#recordFailure(row, smtpFailure(error, deadline.aborted, isTextSent));
    } finally {
      if (isProbe) this.health.isProbing = false;
    }
    await this.#recordSuccess(row, stop);
  }

  #drop(row: queries.OutboxRow): Promise<void> {
    return queries.finishAttempt(this.#parts.db, row, {
      sealed_body: null,
      next_attempt_at: null,
      last_error: "Not sent, because it had expired.",
    });
  }

  /** For the next start, or another process, to try at once. */
  #release(row: queries.OutboxRow, isTextSent: boolean): Promise<void> {
    const outcome = {
      failure_kind: "mail",
      next_attempt_at: this.#parts.clock.steady(),
      last_error: "Cut off by a stop.",
      ...(isTextSent && { may_repeat: true }),
    } as const;
    return queries.finishAttempt(this.#parts.db, row, outcome);
  }

  async #recordFailure(row: queries.OutboxRow, failure: SmtpFailure): Promise<void> {
    const { db, clock, log } = this.#parts;
    if (!failure.isPermanent) this.health.failed(failure);
    const next = failure.isPermanent ? null : this.#nextAttempt(row, failure);
    const outcome = {
      last_error: failure.reason,
      failure_kind: failure.kind,
      ...(failure.mayHaveArrived && { may_repeat: true }),
      next_attempt_at: next,
      failed_at: next === null ? clock.now() : null,
    };
    const stands = await queries.finishFailed(db, row, outcome, clock.steady());
    if (stands && next === null)
      log(`Mail ${row.id} is given up after ${row.attempts} attempts; the admin's dashboard says why`);
  }

  #nextAttempt(row: queries.OutboxRow, { kind, mayHaveArrived, isUnreached }: SmtpFailure): Date | null {
    const { clock } = this.#parts;
    const writtenAt = row.requeued_at ?? row.created_at;
    if (clock.now() > secondsAfter(writtenAt, giveUpAfterSeconds)) return null;
    const now = clock.steady();
    // Stays before later mails about the same thing. It cannot be the cause, so the others lose nothing by waiting behind it.
    if (isUnreached) return writtenAt < now ? writtenAt : now;
    const later = secondsAfter(now, retryDelaySeconds(row.attempts, row.expires_at !== null));
    if (kind !== "server" || !this.health.outage) return later;
    const { nextProbeAt } = this.health.outage;
    // One that may have arrived waits as it would by itself: as every probe it would keep the others waiting, and might arrive each time.
    return mayHaveArrived && later > nextProbeAt ? later : nextProbeAt;
  }

  async #recordSuccess(row: queries.OutboxRow, stop: AbortSignal): Promise<void> {
    const { db, clock } = this.#parts;
    const sent = { sent_at: clock.now(), sealed_body: null, next_attempt_at: null, last_error: null };
    await persistently(() => queries.finishAttempt(db, row, sent), stop);
    if (this.health.succeeded()) await queries.bringForward(db, clock.steady());
  }
}

function smtpSend({ config, secrets, smtpUrl }: SmtpParts): Send {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    // The signal ends the rest, also where a server sends a byte now and then.
    socketTimeout: 2 * deliveryDeadlineMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(mustEncrypt(config, smtpUrl) ? { requireTLS: true } : { tls: { rejectUnauthorized: false } }),
  });
  // The text is not read before the server has taken the recipient and waits for it.
  transport.use("stream", ({ data, message }, done) => {
    message.processFunc((text) => text.once("resume", (data as SendMailOptions & Attempt).onText));
    done();
  });
  const domain = /@([^\s<>]+)/.exec(config.mail.from)?.[1] ?? "localhost";
  return async (row, attempt) => {
    const { text, html, unsubscribeUrl } = bodyOf(secrets, row);
    const mail: SendMailOptions & Attempt = {
      from: config.mail.from,
      // As an object, because a text would be parsed as a list of addresses.
      to: { name: "", address: row.recipient },
      subject: row.subject,
      text,
      html,
      date: row.created_at,
      // The same at every attempt, so that a mail sent twice across a crash can be recognised.
      messageId: `<${row.id}.${row.created_at.getTime()}@${domain}>`,
      headers: {
        "Auto-Submitted": "auto-generated",
        ...(row.request_id === null ? {} : { "X-Request-ID": row.request_id }),
        ...unsubscribeHeaders(unsubscribeUrl),
      },
      ...attempt,
    };
    await transport.sendMail(mail);
  };
}

/** Returns the headers from which mail programs make an unsubscribe button (RFC 8058). */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/**
 * Returns whether mails and the password of `SMTP_URL` leave only over TLS and to a proven server (MAIL-7). Not on this machine, where
 * nobody is in between, and not with `SMTP_TLS=off`; there TLS is used for `smtps://` or when offered, and any certificate will do.
 */
function mustEncrypt(config: Config, smtpUrl: string): boolean {
  return config.mail.tls && !isLoopbackHost(new URL(smtpUrl).hostname);
}

function bodyOf({ mailKey }: Secrets, { recipient, sealed_body }: queries.OutboxRow): MailBody {
  if (sealed_body === null) throw new UnreadableMail("The mail has no text.");
  try {
    return openBody(mailKey, recipient, sealed_body);
  } catch {
    throw new UnreadableMail("The text of the mail was sealed with other secrets and cannot be read.");
  }
}

/** Records a sent mail, also after a short loss of the database: otherwise it would be sent again. */
async function persistently(record: () => Promise<void>, stop: AbortSignal): Promise<void> {
  for (let triesLeft = 10; ; triesLeft--) {
    try {
      return await record();
    } catch (error) {
      if (triesLeft === 0 || stop.aborted) throw error;
      await pause(1000, undefined, { signal: stop });
    }
  }
}
