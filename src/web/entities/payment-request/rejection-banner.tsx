import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { Banner } from "../../ui/banner.tsx";
import { Owed } from "./owed.tsx";

interface RejectionBannerProps {
  request: PaymentRequest;
  /** The one button, or the link to the form on this page. */
  action?: ReactNode;
  /** False inside a region that is announced itself. */
  isAnnounced?: boolean;
}

/** A rejected request that its student may submit again: the reason, what is owed, and one button. */
export function RejectionBanner({ request, action, isAnnounced }: RejectionBannerProps): ReactNode {
  const { package_type, crypto_type, amount_owed } = request;
  const what = crypto_type === null ? "request" : "payment";
  return (
    <Banner
      tone="loss"
      isAnnounced={isAnnounced ?? true}
      title={`Your ${what} for the ${packages[package_type].name} package was not approved`}
    >
      <p className="wrap-anywhere">Reason: {request.rejection_reason}</p>
      <Owed request={request} />
      {crypto_type !== null && (
        <p className="mt-1">
          {amount_owed === null
            ? "There is no need to pay twice: the same payment can be submitted again."
            : "What has arrived counts: send only the rest, and submit the payment again."}
        </p>
      )}
      {action !== undefined && <div className="mt-3 mb-1">{action}</div>}
    </Banner>
  );
}

/** The label of every button that leads to another try. */
export function SubmitAgainLabel({ request }: { request: PaymentRequest }): ReactNode {
  return (
    <>
      Submit again<span className="sr-only"> for {packages[request.package_type].name}</span>
    </>
  );
}
