import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { amountText } from "#domain/payment-methods/methods";
import { transferOf } from "#domain/payments/transfer";
import { StatusBadge } from "../../../../entities/payment-request/status-badge.tsx";
import { dateTime } from "../../../../platform/format.ts";
import { Fact, Facts } from "../../../../ui/facts.tsx";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { Skeleton } from "../../../../ui/skeleton.tsx";
import { EmailAddress } from "../../email-address.tsx";
import { evidenceLabels, verdictLabel } from "../evidence/labels.ts";
import { usePaymentRequest } from "./queries.ts";

/** The requests that claim one transaction, next to each other (EVIDENCE-2). */
export function Disputes({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  const reference = request.evidence.find((one) => one.kind === "reference");
  if (reference?.verdict !== "disputed") return null;
  return (
    <Panel aria-labelledby="disputes">
      <PanelTitle id="disputes">Requests with this reference</PanelTitle>
      <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        <Claim request={request} isThis />
        {reference.details.others.map(({ payment_request_id }) => (
          <OtherClaim key={payment_request_id} id={payment_request_id} />
        ))}
      </ul>
    </Panel>
  );
}

function OtherClaim({ id }: { id: string }): ReactNode {
  const { data } = usePaymentRequest(id);
  return data ? <Claim request={data} /> : <Skeleton className="h-48" />;
}

function Claim({ request, isThis = false }: { request: ReviewedPaymentRequest; isThis?: boolean }): ReactNode {
  const transfer = transferOf(request);
  return (
    <li className="rounded-control border border-line p-4" aria-current={isThis ? "true" : undefined}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="min-w-0 font-medium wrap-anywhere">
          {isThis ? <EmailAddress email={request.email} /> : <LinkTo request={request} />}
        </h3>
        <StatusBadge status={request.status} />
      </div>
      {isThis && <p className="text-small text-muted">This request</p>}
      <Facts>
        <Fact name="Submitted">
          <time dateTime={request.created_at}>{dateTime(request.created_at)}</time>
        </Fact>
        <Fact name="Package">{packages[request.package_type].name}</Fact>
        {transfer && <Fact name="Amount">{amountText(transfer.crypto_type, transfer.amount_crypto)}</Fact>}
        {request.evidence
          .filter(({ kind }) => kind !== "reference")
          .map((one) => (
            <Fact key={one.kind} name={evidenceLabels[one.kind].name}>
              {verdictLabel(one)}
            </Fact>
          ))}
      </Facts>
    </li>
  );
}

function LinkTo({ request: { id, email } }: { request: ReviewedPaymentRequest }): ReactNode {
  return (
    <Link to={`/admin/payments/${id}`} className="text-action underline-offset-4 hover:underline">
      <EmailAddress email={email} />
    </Link>
  );
}
