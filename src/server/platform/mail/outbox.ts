import type { OptionalMailKind } from "#domain/mail-choices";
import type { Connection, Transaction } from "../db/database.ts";

/** Whose choice lets a mail be sent that the recipient can turn off, and of which kind it is (MAIL-8). */
export interface MailChoice {
  accountId: string;
  kind: OptionalMailKind;
}

/** A mail as `composeMail` makes it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The code or the link of the mail: displayed large in the mailbox and printed to the console. */
  highlight?: string;
  /** When its code or link expires: not sent after that (MAIL-5), and retried at short intervals until then. */
  expiresAt?: Date;
  /** Drops mails of the same key that are still waiting, because this one made their code invalid. */
  replaceKey?: string;
  /** Of a mail that goes to the account's present address, also where that changes while the mail waits (OWN-3). */
  accountId?: string | undefined;
  /** Of a mail that the recipient can turn off, and which is sent after necessary mails, one that expires before the others (MAIL-10). */
  choice?: MailChoice;
  /** Of such a mail: for the button of mail programs (RFC 8058). */
  unsubscribeUrl?: string;
}

/** A change of an account's address. */
export interface Move {
  accountId: string;
  from: string;
  to: string;
}

/** Mails are written in the transaction of what they report, then sent by any process. */
export interface Outbox {
  /** Writes a mail and returns its id. */
  enqueue(connection: Connection, mail: Mail): Promise<number>;
  /** Writes many mails at once; none replaces another of its `replaceKey`. */
  enqueueAll(connection: Connection, mails: readonly Mail[]): Promise<void>;
  /** Drops the mails of a `replaceKey` that were not sent yet. */
  cancel(connection: Connection, replaceKey: string, reason: string): Promise<void>;
  /** Drops the mails of a kind to an account that were not sent yet. */
  cancelOptional(connection: Connection, choice: MailChoice, reason: string): Promise<void>;
  /** As `cancel`. Returns whether there were any and none of them can have arrived. */
  withdraw(connection: Connection, replaceKey: string, reason: string): Promise<boolean>;
  /** As `cancel` for several keys. Returns those that have mails and of which none can have arrived, those of earlier times included. */
  withdrawAll(connection: Connection, replaceKeys: readonly string[], reason: string): Promise<Set<string>>;
  /** Readdresses the mails with an `accountId` that were not sent yet. */
  redirect(tx: Transaction, move: Move): Promise<void>;
}

/** The longest wait for a mail whose code or link expires, and between two probes of a server that is down, in seconds. */
export const maxUrgentDelaySeconds = 30;

/**
 * Returns the seconds to wait after a failed attempt: 5 s, 15 s, 45 s … 1 h. `attempt` counts from 1. An urgent mail is one
 * that expires; it waits no longer than 30 s.
 */
export function retryDelaySeconds(attempt: number, isUrgent: boolean): number {
  return Math.min(5 * 3 ** (attempt - 1), isUrgent ? maxUrgentDelaySeconds : 3600);
}

/** A mail that could not be sent for this long, since it was written or sent again, is given up; its row keeps the last error. */
export const giveUpAfterSeconds = 2 * 24 * 3600;

/** How long a process may take for one attempt before another process may try. */
export const leaseSeconds = 5 * 60;

/** One attempt is cut off after this time, well under the lease, so that no other process takes a mail on its way. */
export const deliveryDeadlineMs = 60_000;
