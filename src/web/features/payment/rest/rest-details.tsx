import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { amountText, paymentMethod } from "#domain/payment-methods/methods";
import { isSampleDestination } from "#domain/payment-methods/sample-destination";
import { Banner } from "../../../ui/banner.tsx";
import { CopyFact, Fact, Facts } from "../../../ui/facts.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { ChangedNotice } from "../method/changed-notice.tsx";
import { Destination } from "../method/destination.tsx";
import { SampleNotice } from "../method/sample-notice.tsx";

export type Rest = NonNullable<PaymentRequest["rest"]>;

/** What arrived, what is still to pay, and where to. */
export function RestDetails({ request, rest: { method, destination_changed } }: RestDetailsProps): ReactNode {
  const { currency, destinationName } = paymentMethod(method.crypto_type);
  const { amount_crypto, amount_received } = request;
  return (
    <Panel aria-label="Still to pay">
      <PanelTitle>Still to pay</PanelTitle>
      <Facts>
        {amount_crypto !== null && (
          <Fact name="Amount due" translate="no">
            {amountText(method.crypto_type, amount_crypto)}
          </Fact>
        )}
        {amount_received !== null && (
          <Fact name="Arrived" translate="no">
            {amountText(method.crypto_type, amount_received)}
          </Fact>
        )}
        <CopyFact
          name={`Rest in ${currency}`}
          text={method.amount_crypto}
          readAs={amountText(method.crypto_type, method.amount_crypto)}
          what="the amount still to pay"
          strong
        />
      </Facts>
      <ChangedNotice method={method} />
      {destination_changed && method.available && (
        <Banner tone="caution" isAnnounced={false} title={`The ${destinationName} has changed`} className="my-2">
          Please send the rest to this one. What you sent before counts.
        </Banner>
      )}
      {isSampleDestination(method) && <SampleNotice />}
      {method.available ? (
        <Destination method={method} />
      ) : (
        <p className="text-small">
          This payment method is not available right now. Please send nothing until we name a destination.
        </p>
      )}
    </Panel>
  );
}

interface RestDetailsProps {
  request: PaymentRequest;
  rest: Rest;
}
