import { ExternalLink, ReceiptText } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { PaymentRequest } from "#domain/api/payment-requests";
import { packages } from "#domain/packages";
import type { PaymentStatus } from "#domain/payment-request";
import { explorerLink } from "#domain/reference";
import { methodCurrencies } from "#domain/wallet-settings";
import { api } from "../../platform/api.ts";
import { shortened } from "../../platform/format.ts";
import { openInNewTab } from "../../platform/new-tab.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { FieldError } from "../../ui/field.tsx";
import { OutsideLink } from "../../ui/outside-link.tsx";

interface RequestProps {
  request: PaymentRequest;
}

const states: Record<PaymentStatus, { tone: Tone; text: string }> = {
  pending: { tone: "caution", text: "Waiting for approval" },
  approved: { tone: "gain", text: "Approved" },
  rejected: { tone: "loss", text: "Rejected" },
};

export function StateBadge({ request }: RequestProps): ReactNode {
  const { tone, text } = states[request.status];
  return <Badge tone={tone}>{text}</Badge>;
}

/** Why a request was rejected, and the way to another try where there is one to make. */
export function Refusal({ request, mayRetry }: RequestProps & { mayRetry: boolean }): ReactNode {
  if (request.status !== "rejected") return null;
  return (
    <>
      <span className="text-small wrap-anywhere">Reason: {request.rejection_reason}</span>
      {mayRetry && (
        <ButtonLink
          to={`/payment?package=${request.package_type}`}
          kind="link"
          size="small"
          className="-mx-3 min-h-11"
          aria-label={`Submit again for ${packages[request.package_type].name}`}
        >
          Submit again
        </ButtonLink>
      )}
    </>
  );
}

/** What was sent, by the figures that the student says they paid by. */
export function sentSum({ paid_by_earlier_quote, amount_crypto, crypto_type }: PaymentRequest): string {
  return `${paid_by_earlier_quote?.amount_crypto ?? amount_crypto} ${methodCurrencies[crypto_type]}`;
}

/** A transaction hash leads to an explorer; a bank's reference is just read. */
export function Reference({ request }: RequestProps): ReactNode {
  const { reference, crypto_type } = request;
  if (reference === null) return null;
  const href = explorerLink(crypto_type, reference);
  if (href === undefined) return <span className="wrap-anywhere">{reference}</span>;
  return (
    <OutsideLink href={href} title={reference}>
      {shortened(reference)}
    </OutsideLink>
  );
}

const linkLook =
  "inline-flex min-h-11 items-center gap-1.5 rounded-control text-small lg:min-h-8 font-medium whitespace-nowrap text-action underline-offset-4 hover:underline";

/** The receipt, once there is one, and the student's own screenshot. */
export function Papers({ request }: RequestProps): ReactNode {
  const [error, setError] = useState<string>();
  const open = async (): Promise<void> => {
    setError(undefined);
    setError(await openInNewTab(() => api.paymentRequests.screenshot({ params: { id: request.id } }), "unexpected"));
  };
  return (
    <div className="grid">
      <div className="flex flex-wrap justify-end gap-x-5 lg:flex-col lg:items-start">
        {request.receipt_number !== null && (
          <Link to={`/student/receipts/${request.id}`} className={linkLook}>
            <ReceiptText aria-hidden className="size-3.5" />
            Receipt<span className="sr-only"> {request.receipt_number}</span>
          </Link>
        )}
        <button type="button" className={linkLook} onClick={() => void open()}>
          <ExternalLink aria-hidden className="size-3.5" />
          Screenshot
        </button>
      </div>
      <FieldError text={error} />
    </div>
  );
}
