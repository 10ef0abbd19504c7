import { ExternalLink } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { rounded } from "#domain/money";
import { packages } from "#domain/packages";
import { canDecide } from "#domain/payments/payment-request";
import { nothingToPay, transferOf } from "#domain/payments/transfer";
import { amountText } from "#domain/payment-methods/methods";
import { Owed } from "../../../entities/payment-request/owed.tsx";
import { Reference } from "../../../entities/payment-request/reference.tsx";
import { StatusBadge } from "../../../entities/payment-request/status-badge.tsx";
import { useOpenScreenshot } from "../../../entities/payment-request/use-open-screenshot.ts";
import { dateTime, usd } from "../../../platform/format.ts";
import { reportError } from "../../../platform/query/reported-error.ts";
import { DataTable, type Column } from "../../../ui/data-table.tsx";
import { Empty } from "../../../ui/panel.tsx";
import { Decision } from "./decision.tsx";
import { FlaggedEvidence } from "./evidence/flagged-list.tsx";
import { EmailAddress } from "../email-address.tsx";
import { LateClaim } from "./late-claim.tsx";
import { NotLoaded } from "../not-loaded.tsx";
import { Parts } from "./parts/parts.tsx";
import { usePaymentRequests } from "./queries.ts";
import { RejectDialog } from "./reject-dialog.tsx";
import { ShowMore } from "../show-more.tsx";
import { TabLoading } from "../tab-loading.tsx";

const columnsFor = (reject: (request: ReviewedPaymentRequest) => void): Column<ReviewedPaymentRequest>[] => [
  { name: "Student", isHeader: true, cell: (request) => <Payer request={request} /> },
  { name: "Package", cell: (request) => packages[request.package_type].name },
  { name: "Amount", isFigure: true, cell: (request) => <Amount request={request} /> },
  { name: "Sent to", cell: (request) => <Destination request={request} /> },
  {
    name: "Submitted",
    cell: (request) => (
      <time dateTime={request.created_at} className="block text-small lg:min-w-24">
        {dateTime(request.created_at)}
      </time>
    ),
  },
  {
    name: "Evidence",
    cell: (request) => (
      <>
        <ScreenshotLink request={request} />
        <FlaggedEvidence request={request} />
        <Parts request={request} />
      </>
    ),
  },
  { name: "Status", cell: (request) => <Status request={request} /> },
  {
    name: "Decision",
    cell: (request) =>
      canDecide(request.status) ? (
        <Decision request={request} onReject={() => reject(request)} />
      ) : (
        request.decided_at !== null && (
          <time dateTime={request.decided_at} className="text-small text-muted">
            {dateTime(request.decided_at)}
          </time>
        )
      ),
  },
];

export function PaymentsTab(): ReactNode {
  const requests = usePaymentRequests();
  const [rejecting, setRejecting] = useState<ReviewedPaymentRequest>();
  const rows = requests.data ?? [];
  const columns = columnsFor(setRejecting);
  if (requests.isPending) return <TabLoading />;
  return (
    <>
      {requests.isLoadingError ? (
        <NotLoaded what="payment requests" retry={() => void requests.refetch()} />
      ) : rows.length === 0 ? (
        <Empty title="No payment requests yet">A new one appears here at once.</Empty>
      ) : (
        <DataTable caption="Payment requests, newest first" columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <ShowMore list={requests} />
      <RejectDialog request={rejecting} onClose={() => setRejecting(undefined)} />
    </>
  );
}

function Payer({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  return (
    <>
      <Link
        to={`/admin/payments/${request.id}`}
        className="inline-flex min-h-11 items-center rounded-control font-medium wrap-anywhere text-action underline-offset-4 hover:underline lg:min-h-6 lg:min-w-36 xl:min-w-40"
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

function Amount({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  const transfer = transferOf(request);
  return (
    <>
      <span className="block font-medium whitespace-nowrap">{usd(request.amount_usd)} USD</span>
      <span className="block text-small whitespace-nowrap text-muted">
        {transfer ? amountText(transfer.crypto_type, transfer.amount_crypto) : nothingToPay}
      </span>
      <Drift request={request} />
      {request.coupon_code !== null && (
        <span className="block text-small whitespace-nowrap text-muted">
          {request.coupon_code} −{request.discount_percent}%
        </span>
      )}
    </>
  );
}

/** What the coins are worth at the current price, where that differs from the locked one. `LateClaim` has its own. */
function Drift({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  const now = request.paid_by_earlier_quote ? null : request.usd_at_current_price;
  if (now === null || Number(now) === Number(rounded(request.amount_usd, 2))) return null;
  return <span className="block text-small whitespace-nowrap text-muted">worth {usd(now)} now</span>;
}

function Destination({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  return (
    <div className="max-w-60 text-small lg:max-w-44 xl:min-w-40">
      <span className="font-figures block break-all">{request.wallet_address}</span>
      {request.reference !== null && (
        <span className="block wrap-anywhere text-muted">
          Reference: <Reference request={request} />
        </span>
      )}
      <LateClaim request={request} />
    </div>
  );
}

function Status({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  return (
    <>
      <StatusBadge status={request.status} />
      {request.rejection_reason !== null && (
        <span className="mt-1 block max-w-48 text-small wrap-anywhere text-muted lg:min-w-28">{request.rejection_reason}</span>
      )}
      <Owed request={request} />
      {request.resubmits !== null && <span className="mt-1 block text-small text-muted">Submitted again</span>}
    </>
  );
}

function ScreenshotLink({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  const { mutate } = useOpenScreenshot(request.id);
  if (request.screenshot_url === null) return <span className="text-small text-muted">{nothingToPay}</span>;
  return (
    <button
      type="button"
      aria-label={`View screenshot of ${request.email}`}
      onClick={() => mutate(undefined, { onError: (error) => reportError(error, "unexpected") })}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-control text-small whitespace-nowrap font-medium text-action underline-offset-4 hover:underline"
    >
      View screenshot
      <ExternalLink aria-hidden className="size-3.5" />
    </button>
  );
}
