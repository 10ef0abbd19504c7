import type { ReactNode } from "react";
import type { MailFailure, WaitingMails } from "#domain/api/mail/mail-failures";
import { messageOf } from "../../../platform/errors.ts";
import { counted, dateTime } from "../../../platform/format.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import { FoldedNotice } from "../folded-notice.tsx";
import { useDismiss, useMailFailures, useSendAgain } from "./queries.ts";

/** Mails that could not be sent, and mails that wait for the mail server. Renders nothing while all is well. */
export function MailFailures(): ReactNode {
  const { data } = useMailFailures();
  if (!data || (data.items.length === 0 && data.waiting === null)) return null;
  const { items, next_cursor, waiting } = data;
  const failed = next_cursor === null ? counted(items.length, "mail") : `${items.length} or more mails`;
  const lines = [
    ...(items.length > 0 ? [`${failed} could not be sent.`] : []),
    ...(waiting ? [`${counted(waiting.count, "mail")} ${waiting.count === 1 ? "waits" : "wait"} for the mail server.`] : []),
  ];
  return (
    <section aria-label="Mails that failed">
      <Banner tone="caution" isCompact isAnnounced={false}>
        <FoldedNotice line={<strong className="figures">{lines.join(" ")}</strong>}>
          {waiting && <Waiting waiting={waiting} />}
          <ul className="divide-y divide-line">
            {items.map((failure) => (
              <Failure key={failure.id} failure={failure} />
            ))}
          </ul>
        </FoldedNotice>
      </Banner>
    </section>
  );
}

function Waiting({ waiting: { oldest_at, reason } }: { waiting: WaitingMails }): ReactNode {
  return (
    <p className="wrap-anywhere text-muted">
      Retried automatically. Oldest from <time dateTime={oldest_at}>{dateTime(oldest_at)}</time>: {reason}
    </p>
  );
}

function Failure({ failure }: { failure: MailFailure }): ReactNode {
  const { id, recipient, subject, reason, failed_at, can_send_again } = failure;
  const sendAgain = useSendAgain();
  const dismiss = useDismiss();
  const isBusy = sendAgain.isPending || dismiss.isPending;
  const error = sendAgain.error ?? dismiss.error;
  return (
    <li className="flex flex-col gap-2 py-3 md:flex-row md:items-start md:justify-between md:gap-6">
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium">{recipient}</p>
        <p>{subject}</p>
        <p className="text-muted">
          <time dateTime={failed_at}>{dateTime(failed_at)}</time>: {reason}
        </p>
        {error && (
          <p role="alert" className="text-loss">
            {messageOf(error, "unexpected")}
          </p>
        )}
      </div>
      <div className="flex shrink-0 gap-2">
        {can_send_again && (
          <Button
            variant="secondary"
            size="small"
            isBusy={sendAgain.isPending}
            disabled={dismiss.isPending}
            aria-label={`Send again to ${recipient}`}
            onClick={() => sendAgain.mutate(id)}
          >
            Send again
          </Button>
        )}
        <Button
          variant="quiet"
          size="small"
          disabled={isBusy}
          aria-label={`Dismiss the mail to ${recipient}`}
          onClick={() => dismiss.mutate(id)}
        >
          Dismiss
        </Button>
      </div>
    </li>
  );
}
