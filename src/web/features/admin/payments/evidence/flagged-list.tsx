import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { isFlagged } from "#domain/evidence/evidence";
import { canDecide } from "#domain/payments/payment-request";
import { verdictLabel } from "./labels.ts";

/** What needs a second look before a pending request is decided, one line each. A late payer's claim has its own lines in the list. */
export function FlaggedEvidence({ request: { status, evidence } }: { request: ReviewedPaymentRequest }): ReactNode {
  const flagged = evidence.filter((one) => isFlagged(one) && one.kind !== "late");
  if (!canDecide(status) || flagged.length === 0) return null;
  return (
    <ul aria-label="Needs a second look" className="mb-1 grid justify-items-end gap-0.5 text-small lg:justify-items-start">
      {flagged.map((one) => (
        <li key={one.kind} className="flex gap-1.5 whitespace-nowrap text-caution">
          <TriangleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
          {verdictLabel(one)}
        </li>
      ))}
    </ul>
  );
}
