import type { ReactNode } from "react";
import type { Quote } from "#domain/api/payments/quotes";
import { packages } from "#domain/packages";
import { usd } from "../../../platform/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { Step } from "../step.tsx";
import { CreditLine } from "./price-lines.tsx";

/** The first step: the package and its price; below it whatever may change them. */
export function OrderSummary({ quote, children }: { quote: Quote; children: ReactNode }): ReactNode {
  const hasCoupon = quote.coupon_code !== null;
  const hasCredit = Number(quote.upgrade_credit_usd) > 0;
  return (
    <Step number={1} title="Order summary" aria-label="Order summary">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2 border-b border-line pb-4">
        <div>
          <p className="font-medium">{packages[quote.package_type].name} Package</p>
          <p className="text-small text-muted">One-time payment</p>
        </div>
        <div className="figures flex flex-wrap items-baseline gap-x-3">
          {hasCoupon && <Badge tone="gain">{`${quote.discount_percent}% OFF`}</Badge>}
          {(hasCoupon || hasCredit) && (
            <s className="text-muted">
              <span className="sr-only">Instead of </span>
              <span translate="no">{usd(quote.original_usd)}</span>
            </s>
          )}
          <span className="text-heading font-semibold tracking-tight" translate="no">
            {usd(quote.amount_usd)}
          </span>
        </div>
      </div>
      {hasCredit && (
        <div className="border-b border-line py-1">
          <Facts>
            <CreditLine quote={quote} />
          </Facts>
        </div>
      )}
      {children}
    </Step>
  );
}
