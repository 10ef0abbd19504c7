import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { PackageType } from "#domain/packages";
import type { Purchase } from "../../entities/payment-request/next-step.ts";
import { RejectionBanner } from "../../entities/payment-request/rejection-banner.tsx";
import { messageOf } from "../../platform/errors.ts";
import { SubmitAgain } from "./again/submit-again.tsx";
import { Checkout } from "./checkout.tsx";
import { CheckoutLead, PackageHeading } from "./frame.tsx";
import { CheckoutLoading } from "./loading.tsx";
import { NotLoaded } from "./quote/quote-notice.tsx";
import { PayRest } from "./rest/pay-rest.tsx";
import { Owned } from "./status/owned.tsx";

interface ViewProps {
  packageType: PackageType;
  requests: UseQueryResult<PaymentRequest[]>;
  /** Undefined while the student's requests are not there. */
  purchase: Purchase | undefined;
  onSubmitted: (request: PaymentRequest) => void;
}

/** What the student can do about the package now. */
export function View({ packageType, requests, purchase, onSubmitted }: ViewProps): ReactNode {
  return (
    <>
      {purchase?.step === "submit-again" && (
        <div className="mb-6">
          <RejectionBanner request={purchase.request} />
        </div>
      )}
      <PackageHeading packageType={packageType} />
      <Content packageType={packageType} requests={requests} purchase={purchase} onSubmitted={onSubmitted} />
    </>
  );
}

function Content({ packageType, requests, purchase, onSubmitted }: ViewProps): ReactNode {
  if (!purchase) {
    if (!requests.error) {
      return (
        <>
          <CheckoutLead />
          <CheckoutLoading />
        </>
      );
    }
    const error = messageOf(requests.error, "payment_info_failed");
    return <NotLoaded error={error} isRenewing={requests.isFetching} onRenew={() => void requests.refetch()} />;
  }
  if (purchase.step === "owned") return <Owned packageType={packageType} request={purchase.request} />;
  if (purchase.step === "pay-rest") {
    const { request, rest } = purchase;
    return <PayRest key={rest.asked_at} request={request} rest={rest} onSubmitted={onSubmitted} />;
  }
  if (purchase.step === "submit-again") {
    return <SubmitAgain key={purchase.request.id} request={purchase.request} onSubmitted={onSubmitted} />;
  }
  return <Checkout packageType={packageType} onSubmitted={onSubmitted} />;
}
