import { composeMail, type MailSite } from "../../mail/layout.ts";
import type { Mail } from "../../mail/outbox.ts";

interface FailedBackup {
  problem: string;
  lastGoodAt: Date | null;
}

/** Returns the mail to the admin that a scheduled backup failed. */
export function failedBackupMail(
  { site, origin }: { site: MailSite; origin: string },
  to: string,
  { problem, lastGoodAt }: FailedBackup,
): Mail {
  return composeMail({
    site,
    to,
    subject: "The backup failed",
    heading: "The scheduled backup failed",
    paragraphs: [
      problem,
      lastGoodAt === null ? "There is no good backup yet." : `The last good one is of ${lastGoodAt.toISOString()}.`,
      "It is tried again within the hour. There is no other mail about this until one has succeeded.",
    ],
    button: { label: "Open the overview", url: `${origin}/admin` },
  });
}
