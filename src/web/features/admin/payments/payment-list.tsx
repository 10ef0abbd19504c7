import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { amountText } from "#domain/payment-methods/methods";
import { nothingToPay, transferOf } from "#domain/payments/transfer";
import { Owed } from "../../../entities/payment-request/owed.tsx";
import { Reference } from "../../../entities/payment-request/reference.tsx";
import { StatusBadge } from "../../../entities/payment-request/status-badge.tsx";
import { dateTime, usd } from "../../../platform/format.ts";
import { Middle } from "../../../ui/middle.tsx";
import { Empty } from "../../../ui/panel.tsx";
import { EmailAddress } from "../email-address.tsx";
import { VirtualTable, type ListColumn } from "../list/virtual-table.tsx";
import { EmptyLoadError } from "../empty-load-error.tsx";
import { TabLoading } from "../tab-loading.tsx";
import { FlaggedEvidence } from "./evidence/flagged-list.tsx";
import { usePaymentRequests, type PaymentFilter } from "./queries.ts";

const columns: ListColumn<ReviewedPaymentRequest>[] = [
  { name: "Student", track: "minmax(0,2.2fr)", isHeader: true, cell: (request) => <Payer request={request} /> },
  { name: "Package", track: "minmax(0,1fr)", cell: (request) => packages[request.package_type].name },
  { name: "Amount", track: "minmax(0,1.3fr)", isFigure: true, cell: (request) => <Amount request={request} /> },
  { name: "Sent to", track: "minmax(0,2fr)", cell: (request) => <Destination request={request} /> },
  {
    name: "Submitted",
    track: "minmax(9.5rem,1.2fr)",
    cell: ({ created_at }) => (
      <time dateTime={created_at} className="text-small whitespace-nowrap">
        {dateTime(created_at)}
      </time>
    ),
  },
  { name: "Status", track: "minmax(0,1.7fr)", isText: true, cell: (request) => <Status request={request} /> },
];

/** Payment requests of any status, each a link to its page. */
export function PaymentList({ filter }: { filter: PaymentFilter }): ReactNode {
  const list = usePaymentRequests(filter);
  if (list.isPending) return <TabLoading />;
  if (list.isLoadingError) return <EmptyLoadError what="payment requests" retry={() => void list.refetch()} />;
  return (
    <VirtualTable
      caption={`Payment requests, ${filter.sort === "oldest" ? "oldest" : "newest"} first`}
      nouns={["payment request", "payment requests"]}
      columns={columns}
      list={list}
      keyOf={({ id }) => id}
      empty={<Empty title="No payment requests here">A new one appears at once.</Empty>}
      source={`payments ${JSON.stringify(filter)}`}
    />
  );
}

interface CellProps {
  request: ReviewedPaymentRequest;
}

function Payer({ request }: CellProps): ReactNode {
  return (
    <>
      <Link
        to={`/admin/payments/${request.id}`}
        className="inline-flex min-h-11 items-center rounded-control font-medium wrap-anywhere text-action underline-offset-4 hover:underline lg:min-h-6"
      >
        {request.full_name}
      </Link>
      <span className="block text-small wrap-anywhere text-muted">
        <EmailAddress email={request.email} />
      </span>
      {request.payer_tier === null && <span className="block text-small text-muted">Account deleted</span>}
    </>
  );
}

function Amount({ request }: CellProps): ReactNode {
  const transfer = transferOf(request);
  return (
    <>
      <span className="block font-medium whitespace-nowrap">{usd(request.amount_usd)} USD</span>
      <span className="block text-small whitespace-nowrap text-muted">
        {transfer ? amountText(transfer.crypto_type, transfer.amount_crypto) : nothingToPay}
      </span>
      {request.coupon_code !== null && (
        <span className="block text-small wrap-anywhere text-muted">
          {request.coupon_code} −{request.discount_percent}%
        </span>
      )}
    </>
  );
}

function Destination({ request }: CellProps): ReactNode {
  const { wallet_address, reference } = request;
  if (wallet_address === null) return null;
  return (
    <div className="text-small">
      <Middle text={wallet_address} what={`the destination of ${request.email}`} />
      {reference !== null && (
        <span className="block wrap-anywhere text-muted">
          Reference: <Reference request={request} />
        </span>
      )}
    </div>
  );
}

function Status({ request }: CellProps): ReactNode {
  return (
    <>
      <StatusBadge status={request.status} />
      {request.receipt_number !== null && (
        <span className="figures mt-1 block text-small text-muted">Receipt {request.receipt_number}</span>
      )}
      {request.rejection_reason !== null && (
        <span className="mt-1 block text-small wrap-anywhere text-muted">{request.rejection_reason}</span>
      )}
      <Owed request={request} tier={request.payer_tier} />
      <FlaggedEvidence request={request} />
      {request.resubmits !== null && <span className="mt-1 block text-small text-muted">Submitted again</span>}
    </>
  );
}
