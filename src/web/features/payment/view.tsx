import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { paymentPage } from "#domain/accounts/next-page";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packages, type PackageType } from "#domain/packages";
import { pendingWith, type Purchase } from "../../entities/payment-request/next-step.ts";
import { RejectionBanner } from "../../entities/payment-request/rejection-banner.tsx";
import { messageOf } from "../../platform/errors.ts";
import { useTitle } from "../../platform/site.ts";
import { Banner } from "../../ui/banner.tsx";
import { ButtonLink } from "../../ui/button.tsx";
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
  useTitle(`${packages[packageType].name} package`);
  return (
    <>
      {purchase && purchase.step !== "owned" && <AskedForMore packageType={packageType} requests={requests.data} />}
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

interface AskedForMoreProps {
  packageType: PackageType;
  requests: PaymentRequest[] | undefined;
}

/** Before the student pays for a package that another, which they wait for, includes (PAY-9). */
function AskedForMore({ packageType, requests = [] }: AskedForMoreProps): ReactNode {
  const others = requests.filter(({ package_type }) => package_type !== packageType);
  const pending = pendingWith(others, packageType);
  if (!pending) return null;
  const { name } = packages[pending.package_type];
  return (
    <Banner isAnnounced={false} className="mb-6">
      <p>
        You have already asked for the {name} package, which includes everything in {packages[packageType].name}.
      </p>
      <ButtonLink to={paymentPage(pending.package_type)} variant="link" size="small" className="-mx-3 -mb-1">
        See your request for {name}
      </ButtonLink>
    </Banner>
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
    return <PayRest request={request} rest={rest} onSubmitted={onSubmitted} />;
  }
  if (purchase.step === "submit-again") {
    return <SubmitAgain key={purchase.request.id} request={purchase.request} onSubmitted={onSubmitted} />;
  }
  return <Checkout packageType={packageType} onSubmitted={onSubmitted} />;
}
