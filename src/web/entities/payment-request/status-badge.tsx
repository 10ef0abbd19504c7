import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { SubscriptionStatus } from "#domain/packages";
import type { PaymentStatus } from "#domain/payments/payment-request";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { restAsked } from "./next-step.ts";

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
export function MyStatusBadge({ request, tier }: MyStatusBadgeProps): ReactNode {
  const { status } = request;
  return <Badge tone={tones[status]}>{myStatusText({ status, rest: restAsked(request, tier) })}</Badge>;
}

interface MyStatusBadgeProps {
  request: PaymentRequest;
  /** The student's. */
  tier: SubscriptionStatus;
}

/** Returns a request's status in the words for its student. */
export function myStatusText({ status, rest }: Pick<PaymentRequest, "status" | "rest">): string {
  return rest === null ? studentTexts[status] : "Rest to pay";
}
