import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { includesPackage, packages } from "#domain/packages";
import { hasArrived } from "#domain/payments/transfer";
import { Banner } from "../../ui/banner.tsx";
import { useMe } from "../session/session.tsx";
import { Owed } from "./owed.tsx";

interface RejectionBannerProps {
  request: PaymentRequest;
  /** The one button, where the form is not on this page. */
  action?: ReactNode;
  /** False inside a region that is announced itself. */
  isAnnounced?: boolean;
}

/** A rejected request: the reason and, unless its student has the package by now, what is owed and one button to submit it again. */
export function RejectionBanner({ request, action, isAnnounced }: RejectionBannerProps): ReactNode {
  const { package_type, crypto_type } = request;
  const { subscription_status: tier } = useMe();
  const isOwned = includesPackage(tier, package_type);
  const what = crypto_type === null ? "request" : "payment";
  return (
    <Banner
      tone="loss"
      isAnnounced={isAnnounced ?? true}
      title={`Your ${what} for the ${packages[package_type].name} package was not approved`}
    >
      <p className="wrap-anywhere">Reason: {request.rejection_reason}</p>
      <Owed request={request} tier={tier} />
      {isOwned && <p className="mt-1">You already have everything in this package, so there is nothing to pay.</p>}
      {crypto_type !== null && !isOwned && <p className="mt-1">{nextStep(request)}</p>}
      {action !== undefined && <div className="mt-3 mb-1">{action}</div>}
    </Banner>
  );
}

function nextStep({ amount_received, amount_owed }: PaymentRequest): string {
  if (amount_owed === null) return "There is no need to pay twice: the same payment can be submitted again.";
  return hasArrived(amount_received)
    ? "What has arrived counts: send only the rest, and submit the payment again."
    : "Nothing has arrived. If you have sent it, submit the payment again; if not, send the whole amount first.";
}

/** The label of every button that leads to another try. */
export function SubmitAgainLabel({ request }: { request: PaymentRequest }): ReactNode {
  return (
    <>
      Submit again<span className="sr-only"> for {packages[request.package_type].name}</span>
    </>
  );
}
