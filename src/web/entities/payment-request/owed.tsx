import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { SubscriptionStatus } from "#domain/packages";
import { amountText } from "#domain/payment-methods/methods";
import { isOtherAmount, transferOf } from "#domain/payments/transfer";
import { stillToPay } from "./next-step.ts";

interface OwedProps {
  request: PaymentRequest;
  /** Its student's; null once the account is deleted. */
  tier: SubscriptionStatus | null;
}

/**
 * The amounts received and owed of a payment that is rejected or asked for its rest (DECIDE-7, PART-3), and of an approved one the amount
 * received where it is not the amount due (PART-1); nothing where the amount is not known to differ.
 */
export function Owed({ request, tier }: OwedProps): ReactNode {
  const { amount_received } = request;
  const owed = stillToPay(request, tier);
  const transfer = transferOf(request);
  if (!transfer || amount_received === null || !isOtherAmount(transfer, amount_received)) return null;
  return (
    <span className="mt-1 block text-small">
      Received{" "}
      <span className="figures whitespace-nowrap" translate="no">
        {amountText(transfer.crypto_type, amount_received)}
      </span>
      {owed !== null && (
        <span>
          , still to pay{" "}
          <span className="figures font-medium whitespace-nowrap" translate="no">
            {amountText(transfer.crypto_type, owed)}
          </span>
        </span>
      )}
    </span>
  );
}
