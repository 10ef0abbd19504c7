import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { PaymentStatus } from "#domain/payments/payment-request";
import { Badge, type Tone } from "../../ui/badge.tsx";

/** Approved green, rejected red, otherwise yellow (DECIDE-5). */
const tones: Record<PaymentStatus, Tone> = { approved: "gain", rejected: "loss", pending: "caution" };

const studentTexts: Record<PaymentStatus, string> = {
  pending: "Waiting for approval",
  approved: "Approved",
  rejected: "Rejected",
};

/** A request's status, for the admin. */
export function StatusBadge({ status }: { status: PaymentStatus }): ReactNode {
  return (
    <Badge tone={tones[status]} className="capitalize">
      {status}
    </Badge>
  );
}

/** A request's status, for its student. */
export function MyStatusBadge({ request }: { request: PaymentRequest }): ReactNode {
  return <Badge tone={tones[request.status]}>{myStatusText(request)}</Badge>;
}

/** Returns a request's status in the words for its student. */
export function myStatusText({ status, rest }: PaymentRequest): string {
  return rest === null ? studentTexts[status] : "Rest to pay";
}
