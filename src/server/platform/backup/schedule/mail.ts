import { composeMail, type MailSite } from "../../mail/layout.ts";
import type { Mail } from "../../mail/outbox.ts";

interface Site {
  site: MailSite;
  origin: string;
}

interface FailedBackup {
  problem: string;
  lastGoodAt: Date | null;
}

const lastGood = (at: Date | null): string =>
  at === null ? "There is no good backup yet." : `The last good one is of ${at.toISOString()}.`;

/** Returns the mail to the admin that a scheduled backup failed. */
export function failedBackupMail({ site, origin }: Site, to: string, { problem, lastGoodAt }: FailedBackup): Mail {
  return composeMail({
    site,
    to,
    subject: "The backup failed",
    heading: "The scheduled backup failed",
    paragraphs: [
      problem,
      lastGood(lastGoodAt),
      "It is tried again within an hour. There is no other mail about this until one has been written.",
    ],
    button: { label: "Open the overview", url: `${origin}/admin` },
  });
}

/** Returns the mail to the admin that a scheduled backup lacks stored files. */
export function lackingBackupMail(
  { site, origin }: Site,
  to: string,
  { lostFiles, lastGoodAt }: { lostFiles: number; lastGoodAt: Date | null },
): Mail {
  return composeMail({
    site,
    to,
    subject: "The backup lacks stored files",
    heading: "The scheduled backup lacks stored files",
    paragraphs: [
      `Stored files that are missing or damaged, and not whole in the backup: ${lostFiles}. The site's log names each.`,
      "Look whether the folder or bucket with the files is the right one, and is there.",
      `${lastGood(lastGoodAt)} Backups that may have the files are kept.`,
      "There is no other mail about this until one has all files.",
    ],
    button: { label: "Open the overview", url: `${origin}/admin` },
  });
}
