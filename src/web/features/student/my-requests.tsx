import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { includesPackage, packages } from "#domain/packages";
import { paymentMethod } from "#domain/payment-methods/methods";
import { nothingToPay } from "#domain/payments/transfer";
import { dateTime, usd } from "../../platform/format.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { LoadError } from "../../ui/load-error.tsx";
import { ApprovalTime } from "../../entities/payment-request/approval-time.tsx";
import { Documents } from "../../entities/payment-request/documents.tsx";
import { MyStatusBadge } from "../../entities/payment-request/status-badge.tsx";
import { Owed } from "../../entities/payment-request/owed.tsx";
import { Rejection } from "../../entities/payment-request/rejection.tsx";
import { sentAmount } from "../../entities/payment-request/sent-amount.ts";
import { Reference } from "../../entities/payment-request/reference.tsx";
import { useMyRequests } from "../../entities/payment-request/queries.ts";
import { useMe } from "../../entities/session/session.tsx";

const columns: Column<PaymentRequest>[] = [
  {
    name: "Package",
    isHeader: true,
    cell: (request) => <span className="font-medium">{packages[request.package_type].name}</span>,
  },
  { name: "Status", isText: true, cell: (request) => <Status request={request} /> },
  {
    name: "Amount",
    isFigure: true,
    cell: (request) => (
      <>
        <span className="block whitespace-nowrap" translate="no">
          {usd(request.amount_usd)} USD
        </span>
        {request.crypto_type !== null && (
          <span className="block text-small whitespace-nowrap text-muted" translate="no">
            {sentAmount(request)}
          </span>
        )}
      </>
    ),
  },
  {
    name: "Paid with",
    cell: (request) => (
      <>
        <span>{request.crypto_type === null ? nothingToPay : paymentMethod(request.crypto_type).name}</span>
        {request.reference !== null && (
          <span className="block text-small text-muted">
            <span className="sr-only">Reference: </span>
            <Reference request={request} />
          </span>
        )}
      </>
    ),
  },
  { name: "Submitted", cell: (request) => <time dateTime={request.created_at}>{dateTime(request.created_at)}</time> },
  { name: "Documents", cell: (request) => <Documents request={request} /> },
];

/** The student's own payment requests and their status (PAY-6). What to do about an open one is displayed above them. */
export function MyRequests(): ReactNode {
  const requests = useMyRequests();
  if (requests.error && !requests.data) {
    return <LoadError error={requests.error} fallback="payment_info_failed" onRetry={() => void requests.refetch()} />;
  }
  if (!requests.data || requests.data.length === 0) return null;
  return (
    <section aria-labelledby="my-payments">
      <h2 id="my-payments" className="mb-4 text-title">
        Your payments
      </h2>
      <DataTable caption="Your payments, newest first" columns={columns} rows={requests.data} keyOf={({ id }) => id} />
    </section>
  );
}

function Status({ request }: { request: PaymentRequest }): ReactNode {
  const { subscription_status: tier } = useMe();
  return (
    <div className="grid justify-items-start gap-1 lg:max-w-72">
      <MyStatusBadge request={request} tier={tier} />
      {request.status !== "rejected" && <Owed request={request} tier={tier} />}
      {request.status === "pending" && request.rest === null && !includesPackage(tier, request.package_type) && (
        <span className="text-small text-muted">
          Usually within 24 hours. <ApprovalTime />
        </span>
      )}
      <Rejection request={request} />
    </div>
  );
}
