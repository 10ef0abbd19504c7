import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import * as z from "zod/mini";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { Quote } from "#domain/api/payments/quotes";
import type { CryptoType } from "#domain/payment-methods/methods";
import { useKeptState } from "../../platform/kept-state.ts";
import { MethodChoice } from "./method/method-choice.tsx";
import { OtherWay } from "./other-way.tsx";
import { CouponBox } from "./quote/coupon-box.tsx";
import { ImportantNotes } from "./quote/notes.tsx";
import { OrderSummary } from "./quote/order-summary.tsx";
import type { QuoteState } from "./quote/use-quote.ts";
import { earlierPayments } from "./submit/earlier-payments.ts";
import { FreeForm } from "./submit/free-form.tsx";
import { SubmitForm } from "./submit/submit-form.tsx";

interface NothingLeftProps {
  quote: Quote;
  state: QuoteState;
  selected: CryptoType | undefined;
  onSelect: (method: CryptoType) => void;
  notRenewed: ReactNode;
  isQuoteLive: boolean;
  onSubmitted: (request: PaymentRequest) => void;
}

/** Where the price is covered: one button; who has paid by another quote before can name that amount instead (PAY-11). */
export function NothingLeft({ quote, state, selected, onSelect, ...form }: NothingLeftProps): ReactNode {
  const { renewal } = state;
  const [hasPaid, setPaid] = useKeptState(`payment of ${quote.package_type}: has paid`, false, z.boolean());
  const methods = quote.methods.filter((method) => earlierPayments(quote, method).length > 0);
  const method = methods.find(({ crypto_type }) => crypto_type === selected) ?? methods[0];
  const isPaid = hasPaid && method !== undefined;
  const change = (hasPaidBefore: boolean): void => {
    flushSync(() => setPaid(hasPaidBefore));
    // The button that was clicked is gone.
    document.getElementById("proof")?.focus();
  };
  return (
    <div className="grid items-start gap-6 md:grid-cols-2">
      <OrderSummary quote={quote}>
        <CouponBox state={state} />
        {isPaid && <MethodChoice {...{ quote, methods }} selected={method.crypto_type} onSelect={onSelect} />}
        <ImportantNotes method={undefined} />
      </OrderSummary>
      <div className="grid gap-3">
        {isPaid ? (
          <>
            <SubmitForm {...{ quote, method, renewal, ...form }} onQuoteOver={state.renew} />
            <OtherWay question="You have paid nothing?" onClick={() => change(false)}>
              Submit without a payment
            </OtherWay>
          </>
        ) : (
          <>
            <FreeForm {...{ quote, renewal, ...form }} onQuoteOver={state.renew} />
            {method && (
              <OtherWay question="You have paid already?" onClick={() => change(true)}>
                Name the earlier amount
              </OtherWay>
            )}
          </>
        )}
      </div>
    </div>
  );
}
