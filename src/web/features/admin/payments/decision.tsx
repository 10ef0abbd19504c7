import type { ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { Button } from "../../../ui/button.tsx";
import { ApproveButton } from "./approve.tsx";
import { PartActions } from "./parts/part-actions.tsx";

interface DecisionProps {
  /** A pending one (DECIDE-5). */
  request: ReviewedPaymentRequest;
  onReject: () => void;
}

/** The buttons of a pending request. */
export function Decision({ request, onReject }: DecisionProps): ReactNode {
  return (
    <div className="flex flex-wrap justify-end gap-2 lg:grid lg:w-max lg:grid-cols-2">
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
      <PartActions request={request} />
    </div>
  );
}
