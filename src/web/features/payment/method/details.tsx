import type { ReactNode } from "react";
import type { Quote } from "#domain/api/quotes";
import { packages } from "#domain/packages";
import { amountText, paymentMethod } from "#domain/payment-methods/methods";
import { usd } from "../../../platform/format.ts";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { Copyable, Destination } from "./destination.tsx";
import { isNothingLeft, PriceLines } from "../quote/price-lines.tsx";

type Method = Quote["methods"][number];

/** Exactly what to send and where to; or that there is nothing left to send. */
export function Details({ quote, method }: { quote: Quote; method: Method }): ReactNode {
  if (isNothingLeft(quote)) return <NothingToSend quote={quote} />;
  const currency = paymentMethod(method.crypto_type).currency;
  return (
    <Panel aria-label="Payment details">
      <PanelTitle>{paymentMethod(method.crypto_type).name} payment</PanelTitle>
      <Facts>
        <Fact name="Package">{packages[quote.package_type].name}</Fact>
        <PriceLines quote={quote} />
        <Fact name="Amount in USD">{usd(quote.amount_usd)} USD</Fact>
        <Fact name={`Amount in ${currency}`} strong>
          <Copyable
            text={method.amount_crypto}
            readAs={amountText(method.crypto_type, method.amount_crypto)}
            what="the amount"
          />
        </Fact>
      </Facts>
      <Destination method={method} />
    </Panel>
  );
}

function NothingToSend({ quote }: { quote: Quote }): ReactNode {
  return (
    <Panel aria-label="Payment details">
      <PanelTitle>Nothing left to send</PanelTitle>
      <Facts>
        <Fact name="Package">{packages[quote.package_type].name}</Fact>
        <PriceLines quote={quote} />
        <Fact name="You pay" strong>
          {usd(quote.amount_usd)} USD
        </Fact>
      </Facts>
      <p className="mt-3 text-small text-muted">
        The whole price is covered. Please send no money: upload a screenshot of this page and submit your request.
      </p>
    </Panel>
  );
}
