import type { ReactNode } from "react";
import type { Quote } from "#domain/api/quotes";
import { packages } from "#domain/packages";
import { methodCurrencies, methodNames } from "#domain/wallet-settings";
import { usd } from "../../platform/format.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Panel, PanelTitle } from "../../ui/panel.tsx";
import { Copyable, Destination } from "./destination.tsx";

type Method = Quote["methods"][number];

/** Exactly what to send and where to. */
export function Details({ quote, method }: { quote: Quote; method: Method }): ReactNode {
  const currency = methodCurrencies[method.crypto_type];
  return (
    <Panel aria-label="Payment details">
      <PanelTitle>{methodNames[method.crypto_type]} payment</PanelTitle>
      <Facts>
        <Fact name="Package">{packages[quote.package_type].name}</Fact>
        {quote.coupon_code !== null && (
          <>
            <Fact name="Original price">{usd(quote.original_usd)}</Fact>
            <Fact name={`Discount (${quote.coupon_code})`}>
              <span className="text-gain">−{usd(quote.discount_usd)}</span>
            </Fact>
          </>
        )}
        <Fact name="Amount in USD">{usd(quote.amount_usd)} USD</Fact>
        <Fact name={`Amount in ${currency}`} strong>
          <Copyable text={method.amount_crypto} unit={currency} what="the amount" />
        </Fact>
      </Facts>
      <Destination method={method} />
    </Panel>
  );
}
