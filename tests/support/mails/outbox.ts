import { afterEach, expect } from "vitest";
import { composeMail } from "#server/platform/mail/layout";
import type { Mail } from "#server/platform/mail/outbox";
import type { Mailer } from "#server/platform/mail/sender";
import { startApp, type TestApp, type TestAppOptions } from "../app.ts";
import { soon } from "../soon.ts";
import { mailServer, type Behaviour, type Mailserver } from "./mail-server.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Registers a cleanup to run after the test, in reverse order. */
export const endAfterTest = (end: () => Promise<unknown>): void => void ends.push(end);

export type MailingApp = TestApp & { mailer: Mailer };

/** An app that sends its mails to that server until the test ends. */
export async function siteWith(smtpUrl: string, options: TestAppOptions = {}): Promise<MailingApp> {
  const site = await startApp({ ...options, environment: { SMTP_URL: smtpUrl, ...options.environment } });
  endAfterTest(() => site.close());
  return Object.assign(site, { mailer: site.deps.outbox as Mailer });
}

/** An SMTP server that runs until the test ends. */
export async function started(behaviour?: Behaviour): Promise<Mailserver> {
  const server = await mailServer(behaviour);
  endAfterTest(() => server.stop());
  return server;
}

export const note = (to: string, subject = "Hello"): Mail =>
  composeMail({ site: { name: "Pipwright" }, to, subject, heading: "Hello", paragraphs: ["A line."] });

export const recipients = (server: Mailserver) => server.taken.map(({ to }) => to[0]);

export interface MailRow {
  id: number;
  recipient: string;
  attempts: number;
  sent_at: Date | null;
  failed_at: Date | null;
  next_attempt_at: Date | null;
  failure_kind: string | null;
  last_error: string | null;
  sealed_body: Buffer | null;
  may_repeat: boolean;
}
/** The rows of the outbox for one address, the oldest first. */
export const mailRows = (site: TestApp, to: string) =>
  site.sql<MailRow>("select * from mail_outbox where recipient = $1 order by id", [to]);

export const secondsUntilDue = (site: TestApp, row: MailRow | undefined) =>
  (row!.next_attempt_at!.getTime() - site.clock.steady().getTime()) / 1000;

/** Waits until a mail has failed that often. */
export const failedTimes = (site: TestApp, to: string, attempts: number) =>
  soon(async () => {
    const [row] = await mailRows(site, to);
    expect(row?.attempts).toBe(attempts);
    expect(row?.failure_kind).not.toBeNull();
    return row;
  });

/** Waits until nothing is being sent. */
export const idle = (site: { mailer: Mailer }) => soon(() => expect(site.mailer.worker.inFlight.size).toBe(0));

/** Makes the mailer look for due mails again, a second later, and waits until they are sent. */
export async function lookAgain(site: MailingApp): Promise<void> {
  site.clock.advance(1);
  site.mailer.worker.wake();
  await soon(() => expect(site.mailer.worker.lastClaimAt).toEqual(site.clock.now()));
  await idle(site);
}
