import type { ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { amountText, paymentMethod } from "#domain/payment-methods/methods";
import { isSampleDestination } from "#domain/payment-methods/sample-destination";
import { hasArrived } from "#domain/payments/transfer";
import { messageOf } from "../../../platform/errors.ts";
import { CopyFact, Facts } from "../../../ui/facts.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { ChangedNotice } from "../method/changed-notice.tsx";
import { Destination } from "../method/destination.tsx";
import { SampleNotice } from "../method/sample-notice.tsx";
import { NotLoaded } from "../quote/quote-notice.tsx";
import { useCurrentDestination } from "../queries.ts";

/** What is still to be sent where too little had arrived, and where to now (DECIDE-7); nothing where the money was not the reason. */
export function StillOwed({ request }: { request: PaymentRequest }): ReactNode {
  const { crypto_type, amount_received, amount_owed } = request;
  if (crypto_type === null || amount_received === null || amount_owed === null) return null;
  return (
    <Panel aria-label="Still to pay">
      <PanelTitle>Still to pay</PanelTitle>
      <p className="mb-2 text-small text-muted">
        {hasArrived(amount_received) ? (
          <>
            <span translate="no">{amountText(crypto_type, amount_received)}</span> has arrived. Send only the rest, and add a
            screenshot of it.
          </>
        ) : (
          "Nothing has arrived. Send this only if you have not sent it yet, and add a screenshot of it."
        )}
      </p>
      <Facts>
        <CopyFact
          name={`Amount in ${paymentMethod(crypto_type).currency}`}
          text={amount_owed}
          readAs={amountText(crypto_type, amount_owed)}
          what="the amount still to pay"
          strong
        />
      </Facts>
      <CurrentDestination request={request} amount={amount_owed} />
    </Panel>
  );
}

function CurrentDestination({ request, amount }: { request: PaymentRequest; amount: string }): ReactNode {
  const current = useCurrentDestination(request);
  const owed = current.data ? { ...current.data, amount_crypto: amount } : undefined;
  return (
    <>
      <ChangedNotice method={owed} />
      {owed ? (
        <>
          {isSampleDestination(owed) && <SampleNotice />}
          <Destination method={owed} />
        </>
      ) : (
        <NoDestination {...current} />
      )}
    </>
  );
}

function NoDestination({ data, error, isFetching, refetch }: ReturnType<typeof useCurrentDestination>): ReactNode {
  if (error) {
    const text = messageOf(error, "payment_info_failed");
    return <NotLoaded error={text} isRenewing={isFetching} onRenew={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton className="h-64" />;
  return (
    <p className="text-small">
      This payment method is not available right now. Please send nothing until we name a destination.
    </p>
  );
}
