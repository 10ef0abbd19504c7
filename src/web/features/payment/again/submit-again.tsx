import { useEffect, useState, type ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { Button } from "../../../ui/button.tsx";
import { Checkout } from "../checkout.tsx";
import { AgainForm } from "./again-form.tsx";
import { AsSubmitted } from "./as-submitted.tsx";
import { StillOwed } from "./still-owed.tsx";

interface SubmitAgainProps {
  request: PaymentRequest;
  onSubmitted: (request: PaymentRequest) => void;
}

/** Reopens a rejected purchase: its figures as they were, and only what was refused to be fixed (PAY-10). */
export function SubmitAgain({ request, onSubmitted }: SubmitAgainProps): ReactNode {
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    // The button that was clicked is gone.
    if (isNew) document.querySelector("h1")?.focus();
  }, [isNew]);
  // Not once something has arrived, nor where there was nothing to send.
  const mayStartAnew = request.crypto_type !== null && Number(request.amount_received ?? 0) === 0;
  if (isNew) return <Checkout packageType={request.package_type} onSubmitted={onSubmitted} />;
  return (
    <div className="mt-6 grid items-start gap-6 md:grid-cols-2">
      <div className="grid gap-6">
        <AsSubmitted request={request} />
        <StillOwed request={request} />
      </div>
      <div className="grid gap-3">
        <AgainForm request={request} onSubmitted={onSubmitted} />
        {mayStartAnew && (
          <p className="flex flex-wrap items-center gap-x-2 text-small text-muted">
            You have sent nothing yet?
            <Button variant="link" size="small" className="-mx-3" onClick={() => setNew(true)}>
              Start with today's amounts
            </Button>
          </p>
        )}
      </div>
    </div>
  );
}
