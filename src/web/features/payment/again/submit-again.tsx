import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import * as z from "zod/mini";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { hasArrived } from "#domain/payments/transfer";
import { useKeptState } from "../../../platform/kept-state.ts";
import { Checkout } from "../checkout.tsx";
import { OtherWay } from "../other-way.tsx";
import { AgainForm } from "./again-form.tsx";
import { AsSubmitted } from "./as-submitted.tsx";
import { StillOwed } from "./still-owed.tsx";

interface SubmitAgainProps {
  request: PaymentRequest;
  onSubmitted: (request: PaymentRequest) => void;
}

/** Reopens a rejected purchase: its figures as they were, and only what was refused to be fixed (PAY-10). */
export function SubmitAgain({ request, onSubmitted }: SubmitAgainProps): ReactNode {
  // Kept as the quote is: the amounts that the student then pays are not those of the rejected request (JOURNEY-3).
  const [isNew, setNew] = useKeptState(`again ${request.id}: anew`, false, z.boolean());
  const change = (isAnew: boolean): void => {
    flushSync(() => setNew(isAnew));
    // The button that was clicked is gone.
    document.querySelector("h1")?.focus();
  };
  const isFree = request.crypto_type === null;
  // What has arrived would be forgotten.
  const mayStartAnew = !hasArrived(request.amount_received);
  if (isNew && mayStartAnew) {
    return (
      <>
        <Checkout packageType={request.package_type} onSubmitted={onSubmitted} />
        <div className="mt-6">
          <OtherWay
            question={isFree ? "There was nothing to pay?" : "You have sent the earlier amount?"}
            onClick={() => change(false)}
          >
            {isFree ? "Submit it again" : "Fix what was refused"}
          </OtherWay>
        </div>
      </>
    );
  }
  return (
    <div className="mt-6 grid items-start gap-6 md:grid-cols-2">
      <div className="grid gap-6">
        <AsSubmitted request={request} />
        <StillOwed request={request} />
      </div>
      <div className="grid gap-3">
        <AgainForm request={request} onSubmitted={onSubmitted} />
        {mayStartAnew && (
          <OtherWay
            question={isFree ? "You would rather pay for it?" : "You have sent nothing yet?"}
            onClick={() => change(true)}
          >
            Start with today's amounts
          </OtherWay>
        )}
      </div>
    </div>
  );
}
