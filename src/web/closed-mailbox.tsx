import type { ReactNode } from "react";
import { useTitle } from "./platform/site.ts";
import { Notice } from "./ui/notice.tsx";

/** Shown in place of the mailbox to whoever has no token for it (MAIL-6). */
export function ClosedMailboxPage(): ReactNode {
  useTitle("This mailbox is closed");
  return (
    <Notice code="Mailbox" title="This mailbox is closed" backTo="/" backLabel="Back to the course page">
      It opens with the link that the start printed on the console, in a browser on the same machine. Each start prints a new
      link unless MAILBOX_TOKEN is set. A site that sends its mails by SMTP has no mailbox.
    </Notice>
  );
}
