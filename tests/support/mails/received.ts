import { findAllReadable } from "#server/platform/mail/queries";
import { openBody } from "#server/platform/mail/seal";
import type { TestApp } from "../app.ts";

export interface ReceivedMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** What an address was mailed, newest first: from the outbox, since not every site has a mailbox. */
export function mailsTo(app: TestApp, email: string): Promise<ReceivedMail[]> {
  return allMails(app, { recipient: email.trim().toLowerCase() });
}

/** What anybody was mailed, newest first. */
export async function allMails(app: TestApp, filter: { recipient?: string } = {}): Promise<ReceivedMail[]> {
  const rows = await findAllReadable(app.deps.db, filter, 100);
  return rows.map(({ recipient, subject, sealed_body }) => ({
    to: recipient,
    subject,
    ...openBody(app.deps.secrets.mailKey, recipient, sealed_body!),
  }));
}

/** The newest verification code that was mailed to an address. */
export async function codeFor(app: TestApp, email: string): Promise<string> {
  for (const { text } of await mailsTo(app, email)) {
    const code = /^\d{6}$/m.exec(text)?.[0];
    if (code !== undefined) return code;
  }
  throw new Error(`No code was mailed to ${email}.`);
}

/** The token of the newest recovery link that was mailed to an address. */
export async function recoveryTokenFor(app: TestApp, email: string): Promise<string> {
  for (const { text } of await mailsTo(app, email)) {
    const token = /\/auth#recovery=([\w-]+)/.exec(text)?.[1];
    if (token !== undefined) return token;
  }
  throw new Error(`No recovery link was mailed to ${email}.`);
}
