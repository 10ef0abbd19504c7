import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { isFlagged } from "#domain/evidence/evidence";
import { verdictLabel } from "./labels.ts";

/** What needs a second look, one line each. Screenshots, destinations and late payments have their own words in the list. */
export function FlaggedEvidence({ request: { evidence } }: { request: ReviewedPaymentRequest }): ReactNode {
  const flagged = evidence.filter((one) => isFlagged(one) && !["screenshot", "destination", "late"].includes(one.kind));
  if (flagged.length === 0) return null;
  return (
    <ul className="mt-1 text-small text-caution">
      {flagged.map((one) => (
        <li key={one.kind} className="flex items-center gap-1.5">
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          {verdictLabel(one)}
        </li>
      ))}
    </ul>
  );
}
