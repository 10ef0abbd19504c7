import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { isFlagged, type Evidence } from "#domain/evidence/evidence";
import { flagLabel } from "../evidence/labels.ts";

/** Returns the evidence that needs a second look before a pending request is decided. */
export const flagsOf = ({ evidence }: Pick<ReviewedPaymentRequest, "evidence">): Evidence[] => evidence.filter(isFlagged);

/** Names each flag, with what is known of it. */
export function FlagList({ flags }: { flags: readonly Evidence[] }): ReactNode {
  if (flags.length === 0) return null;
  return (
    <ul aria-label="Needs a second look" className="grid gap-2 text-small">
      {flags.map((flag) => (
        <li key={flag.kind} className="grid grid-cols-[auto_1fr] gap-x-2">
          <TriangleAlert aria-hidden className="mt-0.75 size-3.5 text-caution" />
          <span className="font-medium text-caution">{flagLabel(flag)}</span>
          <span className="col-start-2 wrap-anywhere">{flag.text}</span>
        </li>
      ))}
    </ul>
  );
}
