import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { TestMail as Mail } from "#domain/api/mail/test-mail";
import { api } from "../../../platform/api.ts";
import { ActionError } from "../../../ui/action-error.tsx";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { useWalletSettings } from "./queries.ts";

/** Milliseconds between two looks at a mail on its way. */
const lookEveryMs = 1000;

/** Sends a test mail and displays what becomes of it (MAIL-11). */
export function TestMail(): ReactNode {
  const send = useMutation({ mutationFn: (to: "admin" | "alert") => api.testMail.send({ to }) });
  const alertEmail = useWalletSettings().data?.alert_email;
  return (
    <Panel aria-label="Test mail">
      <PanelTitle>Test mail</PanelTitle>
      <div className="grid gap-3">
        <p className="text-small text-muted">Sent the way codes, receipts and alerts are sent.</p>
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" isBusy={send.isPending} onClick={() => send.mutate("admin")}>
            Send a test mail to me
          </Button>
          {alertEmail && (
            <Button variant="secondary" disabled={send.isPending} onClick={() => send.mutate("alert")}>
              Send one to the alert email
            </Button>
          )}
        </div>
        <ActionError error={send.error} />
        <div role="status" className="empty:hidden">
          {send.data && <Outcome key={send.data.id} sent={send.data} />}
        </div>
      </div>
    </Panel>
  );
}

function Outcome({ sent }: { sent: Mail }): ReactNode {
  const { data } = useQuery({
    queryKey: ["test-mail", sent.id],
    queryFn: () => api.testMail.read({ params: { id: sent.id } }),
    initialData: sent,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? lookEveryMs : false),
  });
  const { state, reason } = data;
  return (
    <Banner
      tone={state === "sent" ? "gain" : isUnderWay(data) ? "info" : "loss"}
      title={outcomeTitle(data)}
      isAnnounced={false}
    >
      {reason !== null && <p className="wrap-anywhere">{reason}</p>}
      {state === "sent" && data.goes_to === "smtp" && "The mail server has taken it. Look for it in the inbox, and among spam."}
    </Banner>
  );
}

const isUnderWay = ({ state }: Mail): boolean => state === "waiting" || state === "retrying";

function outcomeTitle({ state, recipient, goes_to }: Mail): string {
  if (goes_to === "mailbox") return "No mail server is set (SMTP_URL): mails are on the page /mailbox and in the console";
  if (goes_to === "console") return "No mail server is set (SMTP_URL): mails are only in the server's console";
  if (goes_to === "nowhere") return "No mail server is set (SMTP_URL), so nobody gets any mail";
  if (state === "sent") return `Sent to ${recipient}`;
  if (state === "failed") return `Not sent to ${recipient}`;
  return state === "retrying" ? `Trying again to send it to ${recipient}` : `Sending it to ${recipient}...`;
}
