import { useState, type ReactNode } from "react";
import type { PaymentRequestDetail, ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { canDecide, type PaymentStatus } from "#domain/payments/payment-request";
import { useMe } from "../../../../entities/session/session.tsx";
import { messageOf, productErrorOf } from "../../../../platform/errors.ts";
import { Button } from "../../../../ui/button.tsx";
import { Empty, Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { AuditPanel } from "../../audit/audit-panel.tsx";
import { TabLoading } from "../../tab-loading.tsx";
import { DecisionBar } from "../decision/decision-bar.tsx";
import { isUnanswered } from "../decision/own-decisions.ts";
import { EvidenceList } from "../evidence/evidence-list.tsx";
import { PartActions } from "../parts/part-actions.tsx";
import { CheckAgain } from "./check-again.tsx";
import { DecidedElsewhere } from "./decided-elsewhere.tsx";
import { deciderOf } from "./decider.ts";
import { Disputes } from "./disputes.tsx";
import { Figures } from "./figures.tsx";
import { Heading, type HeadingProps } from "./heading.tsx";
import { Outcome } from "./outcome.tsx";
import { usePaymentRequest } from "./queries.ts";
import { CancelledReceipts, RequestsPanel } from "./records.tsx";
import { Screenshot } from "./screenshot.tsx";

interface RequestPanelProps extends Omit<HeadingProps, "request"> {
  id: string;
  /** The pictures by which the admin has seen the money arrive. */
  ticked: ReadonlySet<string>;
  onTick: (ticked: ReadonlySet<string>) => void;
  /** The status that this window gave it last, if any. */
  ownStatus: PaymentStatus | undefined;
  onDecided: (decided: ReviewedPaymentRequest) => void;
  onReopened: (reopened: ReviewedPaymentRequest) => void;
  onNext: () => void;
}

/** One payment request with all that is known of it, and the decision (EVIDENCE-4). */
export function RequestPanel({ id, onNext, ...props }: RequestPanelProps): ReactNode {
  const { data, error, isPending, refetch } = usePaymentRequest(id);
  if (isPending) return <TabLoading />;
  if (data && productErrorOf(error).status !== 404) return <Details request={data} {...props} />;
  return (
    <Empty title={data ? "This payment request was deleted" : "The payment request could not be loaded"}>
      <p>{messageOf(error, "unavailable")}</p>
      <div className="mt-3 flex justify-center gap-2">
        {!data && (
          <Button variant="secondary" size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        )}
        <Button variant="secondary" size="small" onClick={onNext}>
          Next request
        </Button>
      </div>
    </Empty>
  );
}

type DetailsProps = Omit<RequestPanelProps, "id" | "onNext"> & { request: PaymentRequestDetail };

function Details(props: DetailsProps): ReactNode {
  const { request, isPage, focusOn, ticked, onTick, onDecided, onReopened, steps } = props;
  // What this window has done to it needs no further word.
  const [firstStatus] = useState(request.status);
  const { ownStatus = firstStatus } = props;
  const me = useMe();
  // A decision whose reply is missing may never have arrived, and another admin may have decided since.
  const isOwn = request.status === ownStatus || (isUnanswered(request) && deciderOf(request) === me.email);
  // Made as a student, before the address was the admin's (ACCESS-4).
  const isByMe = request.user_id === me.id;
  const tick = tickOf(request);
  const tickMoney = (isSeen: boolean): void => {
    const next = new Set(ticked);
    if (isSeen) next.add(tick);
    else next.delete(tick);
    onTick(next);
  };
  return (
    <article aria-labelledby="request" className="grid min-w-0 grid-cols-1 gap-6">
      <Heading request={request} isPage={isPage} focusOn={focusOn} steps={steps} />
      {!isOwn && <DecidedElsewhere request={request} />}
      {canDecide(request.status) ? (
        <DecisionBar
          request={request}
          isByMe={isByMe}
          isMoneySeen={ticked.has(tick)}
          onMoneySeen={tickMoney}
          onDecided={onDecided}
        />
      ) : (
        <Outcome request={request} onReopened={onReopened} />
      )}
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        {request.screenshot_url !== null && (
          <div className="min-w-0 xl:sticky xl:top-[calc(9rem+var(--notice,0rem))]">
            <Screenshot request={request} />
          </div>
        )}
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Figures request={request} />
          <Panel aria-labelledby="evidence">
            <PanelTitle id="evidence" aside={<CheckAgain request={request} />}>
              Evidence
            </PanelTitle>
            <EvidenceList request={request} />
          </Panel>
          {canDecide(request.status) && !isByMe && (
            <PartActions request={request} tick={tick} isMoneySeen={ticked.has(tick)} onApproved={onDecided} />
          )}
        </div>
      </div>
      <Disputes request={request} />
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="grid grid-cols-1 gap-6">
          <RequestsPanel title="Other requests of this student" requests={request.history} />
          <CancelledReceipts receipts={request.cancelled_receipts} />
        </div>
        <AuditPanel audit={request.audit} />
      </div>
    </article>
  );
}

/** A tick holds for a request with these pictures: a further part asks for it again (REVIEW-3). */
function tickOf({ id, screenshot_url, parts }: PaymentRequestDetail): string {
  return [id, screenshot_url, ...parts.map((part) => part.screenshot_url)].join(" ");
}
