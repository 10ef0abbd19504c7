import type { ReactNode } from "react";
import { paymentPage } from "#domain/accounts/next-page";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { Banner } from "../../ui/banner.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { useMe } from "../session/session.tsx";
import { Owed } from "./owed.tsx";

/** A pending request whose rest is asked for: what arrived, what is still to pay, and one button (PART-4). */
export function RestBanner({ request }: { request: PaymentRequest }): ReactNode {
  const { package_type } = request;
  const { subscription_status: tier } = useMe();
  return (
    <Banner tone="caution" title={`A part of your payment for the ${packages[package_type].name} package is missing`}>
      <Owed request={request} tier={tier} />
      <p className="mt-1">What has arrived counts. Please send only the rest: your request keeps its place.</p>
      <div className="mt-3 mb-1">
        <ButtonLink to={paymentPage(package_type)}>
          <PayRestLabel request={request} />
        </ButtonLink>
      </div>
    </Banner>
  );
}

/** The label of every button that leads to paying the rest. */
export function PayRestLabel({ request }: { request: PaymentRequest }): ReactNode {
  return (
    <>
      Pay the rest<span className="sr-only"> for {packages[request.package_type].name}</span>
    </>
  );
}
