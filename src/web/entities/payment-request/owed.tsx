import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payment-requests";
import { amountText } from "#domain/payment-methods/methods";

/** The amounts received and owed of a rejected payment; nothing where the amount was not the reason (DECIDE-7). */
export function Owed({ request }: { request: PaymentRequest }): ReactNode {
  const { crypto_type, amount_received, amount_owed } = request;
  if (crypto_type === null || amount_received === null || amount_owed === null) return null;
  return (
    <span className="mt-1 block text-small">
      Received <span className="figures whitespace-nowrap">{amountText(crypto_type, amount_received)}</span>, still to pay{" "}
      <span className="figures font-medium whitespace-nowrap">{amountText(crypto_type, amount_owed)}</span>
    </span>
  );
}
