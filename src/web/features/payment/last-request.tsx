import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payment-requests";
import { packages, type PackageType } from "#domain/packages";
import { day } from "../../platform/format.ts";
import { useMe } from "../../entities/session/session.tsx";
import { Banner } from "../../ui/banner.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ApprovalTime } from "../../entities/payment-request/approval-time.tsx";
import { maySubmitAgain, newestFor } from "../../entities/payment-request/next-step.ts";
import { RejectionBanner } from "../../entities/payment-request/rejection-banner.tsx";
import { useMyRequests } from "../../entities/payment-request/queries.ts";

/** Status of the student's last request for a package, or a note that they have it already; nothing where neither applies. */
export function LastRequest({ packageType }: { packageType: PackageType }): ReactNode {
  const { subscription_status: tier } = useMe();
  const { data: requests = [] } = useMyRequests();
  const last = newestFor(requests, packageType);
  const { name } = packages[packageType];
  if (last?.status === "pending") {
    return (
      <Banner tone="caution" title="Please do not pay twice">
        Your request of {day(last.created_at)} for the {name} package is still being checked. <ApprovalTime />
      </Banner>
    );
  }
  if (last && maySubmitAgain(requests, last, tier)) return <Rejected request={last} />;
  if (tier === packageType || tier === "advanced") {
    return (
      <Banner title={`You already have the ${packages[tier].name} package`}>
        There is no need to buy {name}: everything in it is open to you.
      </Banner>
    );
  }
  return null;
}

function Rejected({ request }: { request: PaymentRequest }): ReactNode {
  const { reference } = request;
  return (
    <RejectionBanner request={request} formId="proof">
      {reference !== null && (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
          Its reference may be used again:
          <span className="font-figures min-w-0 break-all">{reference}</span>
          <CopyButton text={reference} what="the transaction reference" />
        </p>
      )}
    </RejectionBanner>
  );
}
