import type { ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { Button } from "../../../ui/button.tsx";
import { ApproveButton } from "./approve.tsx";

interface DecisionProps {
  /** A pending one (DECIDE-5). */
  request: ReviewedPaymentRequest;
  onReject: () => void;
}

/** The two buttons of a pending request. */
export function Decision({ request, onReject }: DecisionProps): ReactNode {
  return (
    <div className="flex flex-wrap justify-end gap-2 lg:flex-nowrap lg:justify-start">
      {/* Without an account there is no tier to set. */}
      {request.payer_tier !== null && <ApproveButton request={request} />}
      <Button
        variant="danger"
        size="small"
        className="min-h-11"
        aria-label={`Reject the payment of ${request.email}`}
        onClick={onReject}
      >
        Reject
      </Button>
    </div>
  );
}
