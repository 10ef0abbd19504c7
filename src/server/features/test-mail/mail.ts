import { secondsAfter } from "../../platform/clock.ts";
import { composeMail, type MailSite } from "../../platform/mail/layout.ts";
import type { Mail } from "../../platform/mail/outbox.ts";

/** A new test mail replaces one that waits. */
export const testMailKey = "test-mail";

/** Seconds for which a test is tried again; later it proves nothing. */
const validSeconds = 600;

/** Returns the mail by which the admin tries out the mail settings. */
export function testMail(site: MailSite, to: string, now: Date): Mail {
  const mail = composeMail({
    site,
    to,
    subject: `Test mail of ${site.name}`,
    heading: "Mails from your site arrive",
    paragraphs: [
      "You requested this mail on the Settings page of your site. Codes, receipts and reminders are sent the same way.",
    ],
  });
  return { ...mail, replaceKey: testMailKey, expiresAt: secondsAfter(now, validSeconds) };
}
