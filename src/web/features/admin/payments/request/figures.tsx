import type { ReactNode } from "react";
import type { PaymentRequestDetail, ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { packageBadges, packages } from "#domain/packages";
import { amountText, paymentMethod } from "#domain/payment-methods/methods";
import { nothingToPay, transferOf, type Transfer } from "#domain/payments/transfer";
import { stillToPay } from "../../../../entities/payment-request/next-step.ts";
import { Reference } from "../../../../entities/payment-request/reference.tsx";
import { dateTime, usd } from "../../../../platform/format.ts";
import { Fact, Facts } from "../../../../ui/facts.tsx";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { Parts } from "../parts/parts.tsx";
import { LateClaim } from "../late-claim.tsx";

/** What was to be paid, how and where to, as it was quoted, and when (EVIDENCE-4). */
export function Figures({ request }: { request: PaymentRequestDetail }): ReactNode {
  const transfer = transferOf(request);
  return (
    <Panel aria-labelledby="figures">
      <PanelTitle id="figures">Payment</PanelTitle>
      <Facts>
        <Fact name="Package">{packages[request.package_type].name}</Fact>
        {request.payer_tier !== null && <Fact name="Has now">{packageBadges[request.payer_tier]}</Fact>}
        <Price request={request} />
        {transfer ? <TransferFacts request={request} transfer={transfer} /> : <Fact name="Method">{nothingToPay}</Fact>}
        {request.quoted_at !== null && (
          <Fact name="Quoted">
            <time dateTime={request.quoted_at}>{dateTime(request.quoted_at)}</time>
          </Fact>
        )}
        <Fact name="Submitted">
          <time dateTime={request.created_at}>{dateTime(request.created_at)}</time>
        </Fact>
      </Facts>
      <LateClaim request={request} />
      <Parts request={request} />
    </Panel>
  );
}

function Price({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  const { original_usd, amount_usd, coupon_code, discount_usd, discount_percent, upgrade_credit_usd } = request;
  return (
    <>
      {amount_usd !== original_usd && <Fact name="Price">{usd(original_usd)}</Fact>}
      {coupon_code !== null && (
        <Fact name={`Discount, coupon ${coupon_code} (${discount_percent}%)`}>−{usd(discount_usd)}</Fact>
      )}
      {upgrade_credit_usd !== "0" && <Fact name="Paid for Starter">−{usd(upgrade_credit_usd)}</Fact>}
      <Fact name="Amount" strong>
        {usd(amount_usd)} USD
      </Fact>
    </>
  );
}

function TransferFacts({ request, transfer }: { request: ReviewedPaymentRequest; transfer: Transfer }): ReactNode {
  const { crypto_type, amount_crypto, wallet_address } = transfer;
  const owed = stillToPay(request, request.payer_tier);
  return (
    <>
      <Fact name={paymentMethod(crypto_type).name} strong>
        {amountText(crypto_type, amount_crypto)}
      </Fact>
      {request.usd_at_current_price !== null && <Fact name="Worth now">{usd(request.usd_at_current_price)}</Fact>}
      <Fact name="Sent to">
        <span className="block font-figures text-balance break-all">{wallet_address}</span>
      </Fact>
      {request.reference !== null && (
        <Fact name="Reference">
          <Reference request={request} />
        </Fact>
      )}
      {request.amount_received !== null && <Fact name="Received">{amountText(crypto_type, request.amount_received)}</Fact>}
      {owed !== null && <Fact name="Still to pay">{amountText(crypto_type, owed)}</Fact>}
    </>
  );
}
