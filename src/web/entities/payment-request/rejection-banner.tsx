import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payment-requests";
import { packages } from "#domain/packages";
import { Banner } from "../../ui/banner.tsx";
import { buttonClass, ButtonLink } from "../../ui/button.tsx";
import { Owed } from "./owed.tsx";

interface RejectionBannerProps {
  request: PaymentRequest;
  /** The id of the form on this page; without it the button leads to the payment page. */
  formId?: string;
  children?: ReactNode;
}

/** A rejected request that its student may submit again: the reason, and one button. */
export function RejectionBanner({ request, formId, children }: RejectionBannerProps): ReactNode {
  const { name } = packages[request.package_type];
  const label = (
    <>
      Submit again<span className="sr-only"> for {name}</span>
    </>
  );
  return (
    <Banner tone="loss" title={`Your payment for the ${name} package was not approved`}>
      <p className="wrap-anywhere">Reason: {request.rejection_reason}</p>
      <Owed request={request} />
      <p className="mt-1">There is no need to pay twice: the same payment can be submitted again.</p>
      {children}
      {formId === undefined ? (
        <ButtonLink to={`/payment?package=${request.package_type}`} className="mt-3 mb-1">
          {label}
        </ButtonLink>
      ) : (
        <a href={`#${formId}`} className={buttonClass("primary", "regular", "mt-3 mb-1")}>
          {label}
        </a>
      )}
    </Banner>
  );
}
