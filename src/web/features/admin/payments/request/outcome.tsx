import type { ReactNode } from "react";
import type { PaymentRequestDetail, ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { dateTime } from "../../../../platform/format.ts";
import { Reopen } from "../decision/reopen.tsx";

interface OutcomeProps {
  request: PaymentRequestDetail;
  onReopened: (reopened: ReviewedPaymentRequest) => void;
}

/** How and when a request was decided, and the way back. */
export function Outcome({ request, onReopened }: OutcomeProps): ReactNode {
  const { decided_at, rejection_reason, receipt_number } = request;
  if (decided_at === null) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-small wrap-anywhere text-muted">
        Decided <time dateTime={decided_at}>{dateTime(decided_at)}</time>
        {receipt_number !== null && `, receipt ${receipt_number}`}
        {rejection_reason !== null && `. Reason: ${rejection_reason}`}
      </p>
      <Reopen request={request} onReopened={onReopened} />
    </div>
  );
}
