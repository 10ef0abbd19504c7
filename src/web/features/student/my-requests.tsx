import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payment-requests";
import { isDowngrade, packages, type PackageType } from "#domain/packages";
import type { PaymentStatus } from "#domain/payment-request";
import { methodCurrencies, methodNames } from "#domain/wallet-settings";
import { api } from "../../platform/api.ts";
import { messageOf } from "../../platform/errors.ts";
import { moment, usd } from "../../platform/format.ts";
import { readAll } from "../../platform/pages.ts";
import { queryKeys } from "../../platform/query-client.ts";
import { useMe } from "../../platform/session.tsx";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Banner } from "../../ui/banner.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";

const states: Record<PaymentStatus, { tone: Tone; text: string }> = {
  pending: { tone: "caution", text: "Waiting for approval" },
  approved: { tone: "gain", text: "Approved" },
  rejected: { tone: "loss", text: "Rejected" },
};

const columnsFor = (maySubmitAgain: (request: PaymentRequest) => boolean): Column<PaymentRequest>[] => [
  {
    name: "Package",
    isHeader: true,
    cell: (request) => <span className="font-medium">{packages[request.package_type].name}</span>,
  },
  { name: "Status", cell: (request) => <State request={request} maySubmitAgain={maySubmitAgain(request)} /> },
  { name: "Amount", isFigure: true, cell: (request) => `${usd(request.amount_usd)} USD` },
  {
    name: "Paid with",
    cell: (request) => (
      <>
        {methodNames[request.crypto_type]}
        <span className="figures block text-small text-muted">
          {request.amount_crypto} {methodCurrencies[request.crypto_type]}
        </span>
      </>
    ),
  },
  { name: "Submitted", cell: (request) => <time dateTime={request.created_at}>{moment(request.created_at)}</time> },
];

/** A student always sees how their own payments stand (decisions 12). */
export function MyRequests({ place }: { place: "top" | "bottom" }): ReactNode {
  const { subscription_status: tier } = useMe();
  const requests = useQuery({
    queryKey: queryKeys.myRequests,
    queryFn: () => readAll((cursor) => api.paymentRequests.mine({ limit: 100, cursor })),
  });
  // What is settled makes room for the lessons.
  const isSettled = requests.data?.every(({ status }) => status === "approved") ?? false;
  if (isSettled !== (place === "bottom")) return null;
  if (requests.error) return <Banner tone="loss">{messageOf(requests.error, "payment_info_failed")}</Banner>;
  if (!requests.data || requests.data.length === 0) return null;
  const isOpen = (type: PackageType): boolean =>
    requests.data.some(({ status, package_type }) => status === "pending" && package_type === type);
  const columns = columnsFor((request) => !isOpen(request.package_type) && isDowngrade(request.package_type, tier));
  return (
    <section aria-labelledby="my-payments">
      <h2 id="my-payments" className="mb-4 text-title">
        Your payments
      </h2>
      <DataTable caption="Your payments, newest first" columns={columns} rows={requests.data} keyOf={({ id }) => id} />
    </section>
  );
}

function State({ request, maySubmitAgain }: { request: PaymentRequest; maySubmitAgain: boolean }): ReactNode {
  const { tone, text } = states[request.status];
  return (
    <div className="grid justify-items-end gap-1 lg:justify-items-start">
      <Badge tone={tone}>{text}</Badge>
      {request.status === "pending" && <span className="text-small text-muted">Usually within 24 hours.</span>}
      {request.status === "rejected" && (
        <>
          <span className="text-small">Reason: {request.rejection_reason}</span>
          {maySubmitAgain && (
            <ButtonLink to={`/payment?package=${request.package_type}`} kind="link" size="small" className="-mx-3">
              Submit again
            </ButtonLink>
          )}
        </>
      )}
    </div>
  );
}
