import { useEffect, useRef, type ReactNode } from "react";
import { Link } from "react-router";
import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { amountText } from "#domain/payment-methods/methods";
import { transferOf } from "#domain/payments/transfer";
import { StatusBadge } from "../../../../entities/payment-request/status-badge.tsx";
import { usd } from "../../../../platform/format.ts";
import { EmailAddress } from "../../email-address.tsx";
import { FlaggedEvidence } from "../evidence/flagged-list.tsx";

export interface HeadingProps {
  request: PaymentRequestDetail;
  /** Whether the request is the page's subject, so that its heading is the page's. */
  isPage: boolean;
  /** Set when the request was opened by an action, which moves the focus to its heading; by a pointer without scrolling. */
  focusOn: { scrolls: boolean } | undefined;
  /** Where the request stands in the queue. */
  steps: ReactNode;
}

/** Who pays how much for what, and what needs a second look. */
export function Heading({ request, isPage, focusOn, steps }: HeadingProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!focusOn) return;
    heading.current?.focus({ preventScroll: true });
    if (focusOn.scrolls) heading.current?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [focusOn]);
  const transfer = transferOf(request);
  const Tag = isPage ? "h1" : "h2";
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-3">
          <Tag ref={heading} id="request" tabIndex={-1} className="min-w-0 text-heading wrap-anywhere">
            {request.full_name}
          </Tag>
          <StatusBadge status={request.status} />
        </div>
        <Payer request={request} />
        <p className="figures mt-1 font-medium">
          {packages[request.package_type].name}, {usd(request.amount_usd)} USD
          {transfer && `, ${amountText(transfer.crypto_type, transfer.amount_crypto)}`}
        </p>
        <FlaggedEvidence request={request} />
      </div>
      {steps}
    </div>
  );
}

function Payer({ request: { email, user_id, payer_tier } }: { request: PaymentRequestDetail }): ReactNode {
  if (payer_tier === null || user_id === null)
    return (
      <p className="wrap-anywhere text-muted">
        <EmailAddress email={email} />, account deleted
      </p>
    );
  return (
    <Link
      to={`/admin/users/${user_id}`}
      className="inline-flex min-h-11 items-center rounded-control wrap-anywhere text-action underline-offset-4 hover:underline lg:min-h-6"
    >
      <EmailAddress email={email} />
    </Link>
  );
}
