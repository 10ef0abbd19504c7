import type { Connection } from "../db/database.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Mails are written in the transaction of what they report, then sent by whichever process is free. */
export interface Outbox {
  enqueue(connection: Connection, mail: Mail): Promise<void>;
}
