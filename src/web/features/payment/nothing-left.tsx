import { useEffect, useState, type ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { Quote } from "#domain/api/payments/quotes";
import type { CryptoType } from "#domain/payment-methods/methods";
import { Button } from "../../ui/button.tsx";
import { MethodChoice } from "./method/method-choice.tsx";
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
  const [hasPaid, setPaid] = useState(false);
  const methods = quote.methods.filter((method) => earlierPayments(quote, method).length > 0);
  const method = methods.find(({ crypto_type }) => crypto_type === selected) ?? methods[0];
  const isPaid = hasPaid && method !== undefined;
  useEffect(() => {
    // The button that was clicked is gone.
    if (hasPaid) document.getElementById("proof")?.focus();
  }, [hasPaid]);
  return (
    <div className="grid items-start gap-6 md:grid-cols-2">
      <OrderSummary quote={quote}>
        <CouponBox state={state} />
        {isPaid && <MethodChoice {...{ quote, methods }} selected={method.crypto_type} onSelect={onSelect} />}
        <ImportantNotes method={undefined} />
      </OrderSummary>
      {isPaid ? (
        <SubmitForm {...{ quote, method, ...form }} renewal={state.renewal} onQuoteOver={state.renew} />
      ) : (
        <div className="grid gap-3">
          <FreeForm {...{ quote, ...form }} onQuoteOver={state.renew} />
          {method && (
            <p className="flex flex-wrap items-center gap-x-2 text-small text-muted">
              You have paid already?
              <Button variant="link" size="small" className="-mx-3" onClick={() => setPaid(true)}>
                Name the earlier amount
              </Button>
            </p>
          )}
        </div>
      )}
    </div>
  );
}
