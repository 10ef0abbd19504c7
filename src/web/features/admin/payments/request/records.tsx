import type { ReactNode } from "react";
import { Link } from "react-router";
import type { PaymentRequest, PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { StatusBadge } from "../../../../entities/payment-request/status-badge.tsx";
import { dateTime, usd } from "../../../../platform/format.ts";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";

/** Payment requests of one student with their receipts, newest first. */
export function RequestsPanel({ title, requests }: { title: string; requests: PaymentRequest[] }): ReactNode {
  return (
    <Panel aria-labelledby="requests">
      <PanelTitle id="requests">{title}</PanelTitle>
      {requests.length === 0 && <p className="text-muted">None.</p>}
      <ul className="divide-y divide-line">
        {requests.map(({ id, created_at, package_type, amount_usd, status, receipt_number, rejection_reason }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
            <Link
              to={`/admin/payments/${id}`}
              className="inline-flex min-h-11 items-center rounded-control font-medium text-action underline-offset-4 hover:underline"
            >
              {packages[package_type].name}, {usd(amount_usd)} USD
            </Link>
            <span className="flex flex-wrap items-center gap-3 text-small text-muted">
              {receipt_number !== null && <span className="figures">Receipt {receipt_number}</span>}
              <time dateTime={created_at}>{dateTime(created_at)}</time>
              <StatusBadge status={status} />
            </span>
            {rejection_reason !== null && (
              <span className="w-full text-small wrap-anywhere text-muted">{rejection_reason}</span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The receipts of approvals that were undone, whose numbers are never used again (REOPEN-3). */
export function CancelledReceipts({ receipts }: { receipts: PaymentRequestDetail["cancelled_receipts"] }): ReactNode {
  if (receipts.length === 0) return null;
  return (
    <Panel aria-labelledby="cancelled-receipts">
      <PanelTitle id="cancelled-receipts">Cancelled receipts</PanelTitle>
      <ul className="divide-y divide-line">
        {receipts.map(({ receipt_number, cancelled_at, reason }) => (
          <li key={receipt_number} className="grid gap-0.5 py-2.5 text-small">
            <span className="flex flex-wrap justify-between gap-x-4">
              <span className="figures font-medium">{receipt_number}</span>
              <time dateTime={cancelled_at} className="text-muted">
                {dateTime(cancelled_at)}
              </time>
            </span>
            <span className="wrap-anywhere text-muted">{reason}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
