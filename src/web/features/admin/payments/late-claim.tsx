import type { ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { amountText, isSameDestination } from "#domain/payment-methods/methods";
import { dateTime, usd } from "../../../platform/format.ts";

/** The earlier quote by which a late student says they paid; the screenshot has to show its amount. */
export function LateClaim({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  const { paid_by_earlier_quote: claim, usd_at_current_price: now, wallet_address, crypto_type } = request;
  if (!claim || crypto_type === null) return null;
  const worth = now === null ? "" : `, worth ${usd(now)} now`;
  return (
    <span className="mt-1 block border-l-2 border-caution pl-2">
      Says they sent <span className="figures font-medium">{amountText(crypto_type, claim.amount_crypto)}</span>
      {!isSameDestination(crypto_type, claim.wallet_address, wallet_address ?? "") && (
        <>
          {" "}
          to <span className="font-figures break-all">{claim.wallet_address}</span>
        </>
      )}{" "}
      <span className="text-muted">
        (quote of <time dateTime={claim.quoted_at}>{dateTime(claim.quoted_at)}</time>, {usd(claim.amount_usd)} then{worth})
      </span>
    </span>
  );
}
