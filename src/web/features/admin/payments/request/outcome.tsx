import type { ReactNode } from "react";
import type { PaymentRequestDetail, ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { errors, type ErrorCode } from "#domain/errors/messages";
import { canDecide } from "#domain/payments/payment-request";
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
  const refusal = reopeningRefusal(request);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-small wrap-anywhere text-muted">
        Decided <time dateTime={decided_at}>{dateTime(decided_at)}</time>
        {receipt_number !== null && `, receipt ${receipt_number}`}
        {rejection_reason !== null && `. Reason: ${rejection_reason}`}
      </p>
      {refusal === undefined ? (
        <Reopen request={request} onReopened={onReopened} />
      ) : (
        <p className="text-small text-muted">It cannot be reopened. {errors[refusal].text}</p>
      )}
    </div>
  );
}

/** Returns why the server would refuse to reopen a request (REOPEN-1), as far as its page has what that depends on. */
function reopeningRefusal({ id, package_type, payer_tier, history }: PaymentRequestDetail): ErrorCode | undefined {
  if (payer_tier === null) return "user_not_found";
  if (history.some(({ resubmits }) => resubmits === id)) return "payment_request_resubmitted";
  const isOpen = history.some((other) => other.package_type === package_type && canDecide(other.status));
  return isOpen ? "payment_request_other_open" : undefined;
}
