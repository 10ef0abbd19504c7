import type { ReactNode } from "react";
import { Link } from "react-router";
import type { PaymentRequestDetail } from "#domain/api/payment-requests";
import { packages } from "#domain/packages";
import { StatusBadge } from "../../../../entities/payment-request/status-badge.tsx";
import { dateTime, usd } from "../../../../platform/format.ts";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { AuditSentence, AuditTime } from "../../audit/entry.tsx";

/** The student's other requests, newest first. */
export function History({ history }: { history: PaymentRequestDetail["history"] }): ReactNode {
  return (
    <Panel aria-labelledby="history">
      <PanelTitle id="history">Other requests of this student</PanelTitle>
      {history.length === 0 && <p className="text-muted">None.</p>}
      <ul className="divide-y divide-line">
        {history.map(({ id, created_at, package_type, amount_usd, status, rejection_reason }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
            <Link
              to={`/admin/payments/${id}`}
              className="inline-flex min-h-11 items-center rounded-control font-medium text-action underline-offset-4 hover:underline"
            >
              {packages[package_type].name}, {usd(amount_usd)} USD
            </Link>
            <span className="flex flex-wrap items-center gap-3 text-small text-muted">
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

/** Who did what with the request, newest first. */
export function Audit({ audit }: { audit: PaymentRequestDetail["audit"] }): ReactNode {
  return (
    <Panel aria-labelledby="audit">
      <PanelTitle id="audit">Audit log</PanelTitle>
      <ol className="divide-y divide-line">
        {audit.map((entry) => (
          <li key={entry.id} className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-2.5 text-small">
            <AuditSentence entry={entry} />
            <AuditTime entry={entry} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}
