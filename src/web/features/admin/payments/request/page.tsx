import { ArrowLeft } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useParams } from "react-router";
import type { PaymentRequestDetail } from "#domain/api/payment-requests";
import { canDecide } from "#domain/payments/payment-request";
import { texts } from "#domain/texts/texts";
import { AccountActions } from "../../../../entities/session/account-actions.tsx";
import { NotThere } from "../../../../entities/payment-request/not-there.tsx";
import { StatusBadge } from "../../../../entities/payment-request/status-badge.tsx";
import { dateTime } from "../../../../platform/format.ts";
import { useReportedError } from "../../../../platform/query/reported-error.ts";
import { useTitle } from "../../../../platform/site.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { ButtonLink } from "../../../../ui/button.tsx";
import { Page } from "../../../../ui/page.tsx";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { PageLoading } from "../../../../ui/spinner.tsx";
import { EmailAddress } from "../../email-address.tsx";
import { ReportedError } from "../../reported-error.tsx";
import { Decision } from "../decision.tsx";
import { EvidenceList } from "../evidence/evidence-list.tsx";
import { RejectDialog } from "../reject-dialog.tsx";
import { CheckAgain } from "./check-again.tsx";
import { Disputes } from "./disputes.tsx";
import { Figures } from "./figures.tsx";
import { usePaymentRequest } from "./queries.ts";
import { Audit, History } from "./records.tsx";
import { Screenshot } from "./screenshot.tsx";

/** One payment request with all that is known of it, and the decision (EVIDENCE-4). */
export function PaymentRequestPage(): ReactNode {
  const { id = "" } = useParams();
  const request = usePaymentRequest(id);
  useTitle(request.data ? `Payment of ${request.data.email}` : "Payment request");
  if (request.isPending) return <PageLoading text={texts.admin.loading} />;
  if (!request.data)
    return (
      <NotThere
        error={request.error}
        retry={() => void request.refetch()}
        titles={{ missing: "No payment request here", notLoaded: "The payment request could not be loaded" }}
        backTo="/admin?tab=payments"
        backLabel="All payments"
      />
    );
  return (
    <Page
      wide
      title={<Badge tone="accent">{texts.admin.badge}</Badge>}
      actions={<AccountActions logout={texts.admin.logout} />}
    >
      {/* Its pictures and dialogs belong to one request. */}
      <Review key={id} request={request.data} />
    </Page>
  );
}

function Review({ request }: { request: PaymentRequestDetail }): ReactNode {
  return (
    <div className="grid grid-cols-1 gap-6">
      <ReportedError error={useReportedError()} />
      <Heading request={request} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-6">
          <Figures request={request} />
          <Panel aria-labelledby="evidence">
            <PanelTitle id="evidence" aside={<CheckAgain request={request} />}>
              Evidence
            </PanelTitle>
            <EvidenceList evidence={request.evidence} />
          </Panel>
        </div>
        {request.screenshot_url !== null && (
          <div className="lg:sticky lg:top-22">
            <Screenshot request={request} />
          </div>
        )}
      </div>
      <Disputes request={request} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <History history={request.history} />
        <Audit audit={request.audit} />
      </div>
    </div>
  );
}

function Heading({ request }: { request: PaymentRequestDetail }): ReactNode {
  const [isRejecting, setIsRejecting] = useState(false);
  return (
    <div>
      <ButtonLink to="/admin?tab=payments" variant="quiet" size="small" className="-ml-3 min-h-11">
        <ArrowLeft aria-hidden className="size-4" />
        All payments
      </ButtonLink>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-3">
            <h1 className="min-w-0 text-heading wrap-anywhere">{request.full_name}</h1>
            <StatusBadge status={request.status} />
          </div>
          <p className="wrap-anywhere text-muted">
            <EmailAddress email={request.email} />
            {request.payer_tier === null && ", account deleted"}
          </p>
        </div>
        {canDecide(request.status) && <Decision request={request} onReject={() => setIsRejecting(true)} />}
      </div>
      <Outcome request={request} />
      <RejectDialog request={isRejecting ? request : undefined} onClose={() => setIsRejecting(false)} />
    </div>
  );
}

function Outcome({ request: { decided_at, rejection_reason, receipt_number } }: { request: PaymentRequestDetail }): ReactNode {
  if (decided_at === null) return null;
  return (
    <p className="mt-2 text-small wrap-anywhere text-muted">
      Decided <time dateTime={decided_at}>{dateTime(decided_at)}</time>
      {receipt_number !== null && `, receipt ${receipt_number}`}
      {rejection_reason !== null && `. Reason: ${rejection_reason}`}
    </p>
  );
}
