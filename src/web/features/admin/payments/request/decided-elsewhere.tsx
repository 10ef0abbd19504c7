import type { ReactNode } from "react";
import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import type { PaymentStatus } from "#domain/payments/payment-request";
import { Banner } from "../../../../ui/banner.tsx";

const words: Record<PaymentStatus, { done: string; action: string }> = {
  approved: { done: "Approved", action: "payment-request.approve" },
  rejected: { done: "Rejected", action: "payment-request.reject" },
  pending: { done: "Reopened", action: "payment-request.reopen" },
};

/** Says that another window has changed the open request, and who did (REVIEW-6). */
export function DecidedElsewhere({ request: { status, audit } }: { request: PaymentRequestDetail }): ReactNode {
  const { done, action } = words[status];
  const by = audit.find((entry) => entry.action === action)?.actor_email;
  return (
    <Banner>
      {done} in another window{by !== undefined && ` by ${by}`}.
    </Banner>
  );
}
