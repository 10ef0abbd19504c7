import type { ReactNode } from "react";
import { paymentPage } from "#domain/accounts/next-page";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packages, type SubscriptionStatus } from "#domain/packages";
import { amountText } from "#domain/payment-methods/methods";
import { transferOf } from "#domain/payments/transfer";
import { PayRestLabel } from "../../entities/payment-request/rest-banner.tsx";
import { SubmitAgainLabel } from "../../entities/payment-request/rejection-banner.tsx";
import { sentAmount } from "../../entities/payment-request/sent-amount.ts";
import { MyStatusBadge } from "../../entities/payment-request/status-badge.tsx";
import { dateTime, usd } from "../../platform/format.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";

interface RequestStateProps {
  /** For a package that the student lacks. */
  request: PaymentRequest;
  tier: SubscriptionStatus;
  /** Whether it is the newest open one, whose rejection or rest is on top of the page with the one button (JOURNEY-5). */
  isOnTop: boolean;
}

/** Replaces the purchase card: a request that waits for its decision, or was rejected (PAY-6). */
export function RequestState({ request, tier, isOnTop }: RequestStateProps): ReactNode {
  const { package_type, status, amount_usd, amount_received, rest, created_at } = request;
  const transfer = transferOf(request);
  const { name } = packages[package_type];
  return (
    <article
      aria-label={`Your ${name} payment`}
      className="flex flex-col gap-4 rounded-panel border border-line bg-surface p-6"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-title">{name}</h3>
        <MyStatusBadge request={request} tier={tier} />
      </div>
      <Facts>
        <Fact name="Price" translate="no">
          {usd(amount_usd)} USD
        </Fact>
        {transfer && amount_received !== null ? (
          <>
            <Fact name="Amount due" translate="no">
              {amountText(transfer.crypto_type, transfer.amount_crypto)}
            </Fact>
            <Fact name="Arrived" translate="no">
              {amountText(transfer.crypto_type, amount_received)}
            </Fact>
          </>
        ) : (
          <Fact name={transfer ? "You sent" : "Payment"} translate={transfer && "no"}>
            {sentAmount(request)}
          </Fact>
        )}
        {rest && (
          <Fact name="Still to pay" translate="no">
            {amountText(rest.method.crypto_type, rest.method.amount_crypto)}
          </Fact>
        )}
        <Fact name="Submitted">{dateTime(created_at)}</Fact>
      </Facts>
      {!(isOnTop && (status === "rejected" || rest)) && (
        <ButtonLink to={paymentPage(package_type)} variant="secondary" className="mt-auto">
          {status === "rejected" ? (
            <SubmitAgainLabel request={request} />
          ) : rest ? (
            <PayRestLabel request={request} />
          ) : (
            <>
              See what happens next<span className="sr-only"> for {name}</span>
            </>
          )}
        </ButtonLink>
      )}
    </article>
  );
}
