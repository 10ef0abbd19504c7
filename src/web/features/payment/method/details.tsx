import type { ReactNode } from "react";
import type { Quote } from "#domain/api/payments/quotes";
import { packages } from "#domain/packages";
import { amountText, paymentMethod, type QuotedMethod } from "#domain/payment-methods/methods";
import { usd } from "../../../platform/format.ts";
import { CopyFact, Fact, Facts } from "../../../ui/facts.tsx";
import { Step } from "../step.tsx";
import { Destination } from "./destination.tsx";
import { PriceLines } from "../quote/price-lines.tsx";

/** The second step: exactly what to send and where to. A phone has the price in the first step and in the bar. */
export function Details({ quote, method }: { quote: Quote; method: QuotedMethod }): ReactNode {
  return (
    <Step
      number={2}
      title={`${paymentMethod(method.crypto_type).name} payment`}
      aria-label="Payment details"
      instruction="Send exactly the amount shown, then take a screenshot of the confirmation."
    >
      <div className="border-b border-line max-sm:hidden">
        <Facts>
          <Fact name="Package">{packages[quote.package_type].name}</Fact>
          <PriceLines quote={quote} />
          <Fact name="Amount in USD" translate="no">
            {usd(quote.amount_usd)} USD
          </Fact>
        </Facts>
      </div>
      <Facts>
        <CopyFact
          name={`Amount in ${paymentMethod(method.crypto_type).currency}`}
          text={method.amount_crypto}
          readAs={amountText(method.crypto_type, method.amount_crypto)}
          what="the amount"
          strong
        />
      </Facts>
      {method.own_digits === true && (
        <p className="text-small text-muted">
          The last digits are yours: they tell your payment from others. Please send all of them.
        </p>
      )}
      <Destination method={method} />
    </Step>
  );
}
