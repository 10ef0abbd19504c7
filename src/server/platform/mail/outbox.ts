import type { Connection } from "../db/database.ts";

/** A mail as `composeMail` makes it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** What the reader looks for first, a code or a link: shown large in the mailbox and printed to the console. */
  highlight?: string;
}

/** Mails are written in the transaction of what they report, then sent by whichever process is free. */
export interface Outbox {
  enqueue(connection: Connection, mail: Mail): Promise<void>;
}

/** Waits this long after a failed attempt, in seconds: 5 s, 15 s, 45 s … 1 h. `attempt` counts from 1. */
export function retryDelaySeconds(attempt: number): number {
  return Math.min(5 * 3 ** (attempt - 1), 3600);
}

/** A mail that could not be sent for this long is given up; its row keeps the last error. */
export const giveUpAfterSeconds = 2 * 24 * 3600;

/** How long a process may take for one attempt before another process may try. */
export const leaseSeconds = 5 * 60;
