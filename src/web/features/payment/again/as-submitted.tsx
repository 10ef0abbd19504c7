import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { paymentMethod } from "#domain/payment-methods/methods";
import { transferOf } from "#domain/payments/transfer";
import { sentAmount } from "../../../entities/payment-request/sent-amount.ts";
import { dateTime, usd } from "../../../platform/format.ts";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { PriceLines } from "../quote/price-lines.tsx";

/** The figures of a rejected request, none of which changes when it is submitted again. */
export function AsSubmitted({ request }: { request: PaymentRequest }): ReactNode {
  const { package_type, amount_usd, paid_by_earlier_quote: earlier, created_at } = request;
  const transfer = transferOf(request);
  const method = transfer && paymentMethod(transfer.crypto_type);
  return (
    <Panel aria-label="Your payment">
      <PanelTitle>Your payment</PanelTitle>
      <Facts>
        <Fact name="Package">{packages[package_type].name}</Fact>
        <PriceLines quote={request} />
        <Fact name="Amount in USD" translate="no">
          {usd(earlier?.amount_usd ?? amount_usd)} USD
        </Fact>
        <Fact name={method ? `By ${method.name}` : "You pay"} strong translate={transfer && "no"}>
          {sentAmount(request)}
        </Fact>
        <Fact name="Submitted">{dateTime(created_at)}</Fact>
      </Facts>
      {transfer && (
        <Destination
          name={paymentMethod(transfer.crypto_type).destinationName}
          text={earlier?.wallet_address ?? transfer.wallet_address}
          isOld={!(earlier ?? request).destination_current}
        />
      )}
    </Panel>
  );
}

/** Where the payment went, named as old where nothing may be sent to it any more. */
function Destination({ name, text, isOld }: { name: string; text: string; isOld: boolean }): ReactNode {
  return (
    <>
      <div className="border-t border-line pt-2.5 text-small">
        <p className="text-muted">To the {name}</p>
        <p className="font-figures break-all" translate="no">
          {text}
        </p>
        {isOld && (
          <p className="mt-1 font-medium text-caution">
            This is the old {name}: it has changed since. Please send nothing more to it.
          </p>
        )}
      </div>
      <p className="mt-4 text-small text-muted">
        These figures stay as they were. What you have sent counts; do not send it a second time.
      </p>
    </>
  );
}
