import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { canDecide } from "#domain/payments/payment-request";
import { flagsOf } from "../decision/flags.tsx";
import { flagLabel } from "./labels.ts";

/** What needs a second look before a pending request is decided, one line each. */
export function FlaggedEvidence({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  const flagged = flagsOf(request);
  if (!canDecide(request.status) || flagged.length === 0) return null;
  return (
    <ul aria-label="Needs a second look" className="mt-1 grid gap-0.5 text-small">
      {flagged.map((one) => (
        <li key={one.kind} className="flex gap-1.5 whitespace-nowrap text-caution">
          <TriangleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
          {flagLabel(one)}
        </li>
      ))}
    </ul>
  );
}
