import type { ReactNode } from "react";
import { paymentPage } from "#domain/accounts/next-page";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packages, type PackageType } from "#domain/packages";
import { useMe } from "../../../entities/session/session.tsx";
import { ButtonLink } from "../../../ui/button.tsx";

interface OwnedProps {
  packageType: PackageType;
  /** The approved request, where the student paid for this package. */
  request: PaymentRequest | undefined;
}

/** In place of the payment: the student has this package, or one that includes it. */
export function Owned({ packageType, request }: OwnedProps): ReactNode {
  const { subscription_status: tier } = useMe();
  const { name } = packages[packageType];
  const had = packages[tier === "unpaid" ? packageType : tier].name;
  return (
    <div className="mt-4 grid max-w-xl gap-6">
      <p role="status">
        <span className="block font-semibold">You already have the {had} package.</span>
        <span className="text-muted">There is nothing to pay: everything in {name} is open to you.</span>
      </p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/student">Go to your course</ButtonLink>
        {tier === "starter" && (
          <ButtonLink to={paymentPage("advanced")} variant="secondary">
            Upgrade to {packages.advanced.name}
          </ButtonLink>
        )}
        {request?.receipt_number != null && (
          <ButtonLink to={`/student/receipts/${request.id}`} variant="secondary">
            Receipt {request.receipt_number}
          </ButtonLink>
        )}
      </div>
    </div>
  );
}
