import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packages, type PackageType } from "#domain/packages";
import { paymentMethod } from "#domain/payment-methods/methods";
import { dateTime, usd } from "../../platform/format.ts";
import { useMe } from "../../entities/session/session.tsx";
import { maySubmitAgain } from "../../entities/payment-request/next-step.ts";
import { Documents } from "../../entities/payment-request/documents.tsx";
import { MyStatusBadge } from "../../entities/payment-request/status-badge.tsx";
import { Rejection } from "../../entities/payment-request/rejection.tsx";
import { sentAmount } from "../../entities/payment-request/sent-amount.ts";
import { useMyRequests } from "../../entities/payment-request/queries.ts";

/** The student's payments in a few lines, for whoever is about to make another, for this package or the other one. */
export function History({ packageType }: { packageType: PackageType }): ReactNode {
  const { subscription_status: tier } = useMe();
  const { data: requests } = useMyRequests();
  if (!requests || requests.length === 0) return null;
  const mayRetry = (request: PaymentRequest): boolean => maySubmitAgain(requests, request, tier);
  // Its reason is at the top of the page.
  const isOnTop = (request: PaymentRequest): boolean => request.package_type === packageType && mayRetry(request);
  return (
    <section aria-labelledby="history" className="mt-12">
      <h2 id="history" className="text-title">
        Your payments
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {requests.map((request) => (
          <li key={request.id} className="flex flex-wrap items-center gap-x-6 gap-y-1 py-2">
            <div className="min-w-0 grow basis-72">
              <span className="block">
                <span className="font-medium">{packages[request.package_type].name}</span>{" "}
                <span className="figures" translate="no">
                  {usd(request.amount_usd)} USD
                </span>
              </span>
              <span className="figures block text-small text-muted">
                <span translate={request.crypto_type === null ? undefined : "no"}>{sentAmount(request)}</span>
                {request.crypto_type !== null && ` by ${paymentMethod(request.crypto_type).name}`},{" "}
                <time dateTime={request.created_at}>{dateTime(request.created_at)}</time>
              </span>
              {!isOnTop(request) && <Rejection request={request} mayRetry={mayRetry(request)} />}
            </div>
            <MyStatusBadge request={request} tier={tier} />
            <Documents request={request} />
          </li>
        ))}
      </ul>
    </section>
  );
}
