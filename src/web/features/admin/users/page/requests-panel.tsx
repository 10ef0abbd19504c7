import type { ReactNode } from "react";
import { Link } from "react-router";
import type { UserDetail } from "#domain/api/users";
import { packages } from "#domain/packages";
import { StatusBadge } from "../../../../entities/payment-request/status-badge.tsx";
import { dateTime, usd } from "../../../../platform/format.ts";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";

/** The student's payment requests with their receipts, newest first. */
export function RequestsPanel({ requests }: { requests: UserDetail["requests"] }): ReactNode {
  return (
    <Panel aria-labelledby="requests">
      <PanelTitle id="requests">Payment requests</PanelTitle>
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
