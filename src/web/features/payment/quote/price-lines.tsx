import type { ReactNode } from "react";
import type { Quote } from "#domain/api/payments/quotes";
import { usd } from "../../../platform/format.ts";
import { Fact } from "../../../ui/facts.tsx";

/** A quote, or a payment request with its figures. */
type Priced = Pick<Quote, "coupon_code" | "original_usd" | "discount_usd" | "upgrade_credit_usd">;

/** Whether a discount and what was paid before cover the whole price. */
export function isNothingLeft(quote: Quote): boolean {
  return Number(quote.amount_usd) === 0;
}

/** How the price comes about, where it is not simply the package's: rows of a statement. */
export function PriceLines({ quote }: { quote: Priced }): ReactNode {
  const hasCoupon = quote.coupon_code !== null;
  const hasCredit = Number(quote.upgrade_credit_usd) > 0;
  return (
    <>
      {(hasCoupon || hasCredit) && (
        <Fact name="Original price" translate="no">
          {usd(quote.original_usd)}
        </Fact>
      )}
      {hasCoupon && (
        <Fact
          name={
            <>
              Discount <span translate="no">({quote.coupon_code})</span>
            </>
          }
          translate="no"
        >
          <span className="text-gain">−{usd(quote.discount_usd)}</span>
        </Fact>
      )}
      {hasCredit && <CreditLine quote={quote} />}
    </>
  );
}

/** What was paid for Starter and is taken off (UPGRADE_CREDIT). */
export function CreditLine({ quote }: { quote: Pick<Priced, "upgrade_credit_usd"> }): ReactNode {
  return (
    <Fact name="Paid for Starter" translate="no">
      <span className="text-gain">−{usd(quote.upgrade_credit_usd)}</span>
    </Fact>
  );
}
