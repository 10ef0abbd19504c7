import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { explorerLink } from "#domain/payment-methods/reference";
import { shortened } from "../../platform/format.ts";
import { OutsideLink } from "../../ui/outside-link.tsx";

/** The transaction reference: a hash is shortened and links to an explorer, a bank's reference is plain text. */
export function Reference({ request }: { request: Pick<PaymentRequest, "reference" | "crypto_type"> }): ReactNode {
  const { reference, crypto_type } = request;
  if (reference === null || crypto_type === null) return null;
  const href = explorerLink(crypto_type, reference);
  if (href === undefined) return <span className="wrap-anywhere">{reference}</span>;
  return (
    <OutsideLink href={href} title={reference}>
      {shortened(reference)}
    </OutsideLink>
  );
}
