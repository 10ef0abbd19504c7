import type { ReactNode } from "react";
import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import type { PaymentStatus } from "#domain/payments/payment-request";
import { Banner } from "../../../../ui/banner.tsx";
import { deciderOf } from "./decider.ts";

const words: Record<PaymentStatus, string> = { approved: "Approved", rejected: "Rejected", pending: "Reopened" };

/** Says that another window has changed the open request, and who did (REVIEW-6). */
export function DecidedElsewhere({ request }: { request: PaymentRequestDetail }): ReactNode {
  const by = deciderOf(request);
  return (
    <Banner>
      {words[request.status]} in another window{by !== undefined && ` by ${by}`}.
    </Banner>
  );
}
