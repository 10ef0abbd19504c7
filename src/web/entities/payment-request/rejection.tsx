import type { ReactNode } from "react";
import { paymentPage } from "#domain/accounts/next-page";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { ButtonLink } from "../../ui/button.tsx";
import { useMe } from "../session/session.tsx";
import { Owed } from "./owed.tsx";

interface RejectionProps {
  request: PaymentRequest;
  /** Whether to link to another try. */
  mayRetry?: boolean;
}

/** Why a request was rejected, and what is still owed unless its student has the package by now; nothing for any other request. */
export function Rejection({ request, mayRetry }: RejectionProps): ReactNode {
  const { subscription_status: tier } = useMe();
  if (request.status !== "rejected") return null;
  return (
    <>
      <span className="text-small wrap-anywhere">Reason: {request.rejection_reason}</span>
      <Owed request={request} tier={tier} />
      {mayRetry && (
        <ButtonLink
          to={paymentPage(request.package_type)}
          variant="link"
          size="small"
          className="-mx-3"
          aria-label={`Submit again for ${packages[request.package_type].name}`}
        >
          Submit again
        </ButtonLink>
      )}
    </>
  );
}
