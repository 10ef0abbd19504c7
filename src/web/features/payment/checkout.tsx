import { useEffect, useRef, useState, type ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payment-requests";
import type { Quote } from "#domain/api/quotes";
import { packages, type PackageType } from "#domain/packages";
import type { CryptoType } from "#domain/payment-methods/methods";
import { Banner } from "../../ui/banner.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CouponBox } from "./quote/coupon-box.tsx";
import { Details } from "./method/details.tsx";
import { isNothingLeft } from "./quote/price-lines.tsx";
import { LastRequest } from "./last-request.tsx";
import { LaunchOffer } from "./launch-offer.tsx";
import { MethodChoice, NoMethod } from "./method/method-choice.tsx";
import { ImportantNotes, Instructions } from "./notes.tsx";
import { OrderSummary } from "./quote/order-summary.tsx";
import { Countdown, NotLoaded } from "./quote/quote-notice.tsx";
import { SubmitForm } from "./submit/submit-form.tsx";
import { useQuote } from "./quote/use-quote.ts";

interface CheckoutProps {
  packageType: PackageType;
  /** Where it takes the place of another view at the same address, which would leave the focus nowhere. */
  takesFocus: boolean;
  onSubmitted: (request: PaymentRequest) => void;
}

/** What is bought and how it is paid on the left, the proof of payment on the right; one after the other on a phone. */
export function Checkout({ packageType, takesFocus, onSubmitted }: CheckoutProps): ReactNode {
  const state = useQuote(packageType);
  const { quote } = state;
  const [selected, setSelected] = useState<CryptoType>("bitcoin");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    heading.current?.focus();
    scrollTo(0, 0);
  }, [takesFocus]);

  return (
    <>
      <LaunchOffer />
      <h1 ref={heading} tabIndex={-1} className="text-heading outline-none">
        {packages[packageType].name} package
      </h1>
      <p className="mt-2 mb-6 text-muted">Pay once, upload a screenshot, and we unlock the course.</p>
      <div className="grid gap-6">
        <LastRequest packageType={packageType} />
        {!quote && <NotLoaded error={state.error} isRenewing={state.isRenewing} onRenew={state.renew} />}
        {quote ? (
          <Form quote={quote} state={state} selected={selected} onSelect={setSelected} onSubmitted={onSubmitted} />
        ) : (
          state.error === undefined && <Placeholder />
        )}
      </div>
    </>
  );
}

interface FormProps {
  quote: Quote;
  state: ReturnType<typeof useQuote>;
  selected: CryptoType;
  onSelect: (method: CryptoType) => void;
  onSubmitted: (request: PaymentRequest) => void;
}

function Form({ quote, state, selected, onSelect, onSubmitted }: FormProps): ReactNode {
  // The selected method is used while it is available, otherwise the first available one.
  const usable = quote.methods.filter(({ available }) => available);
  const method = usable.find(({ crypto_type }) => crypto_type === selected) ?? usable[0];
  const isFree = isNothingLeft(quote);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="grid gap-6">
        <OrderSummary quote={quote}>
          <CouponBox state={state} />
        </OrderSummary>
        {quote.is_sample && method && !isFree && (
          <Banner tone="caution" title="Sample details – do not pay">
            The addresses and the account below are made up. Nothing sent to them can be recovered.
          </Banner>
        )}
        {!(isFree && method) && <MethodChoice methods={quote.methods} selected={method?.crypto_type} onSelect={onSelect} />}
        {method ? <Details quote={quote} method={method} /> : <NoMethod />}
        {method && (
          <Countdown
            secondsLeft={state.secondsLeft}
            isRenewing={state.isRenewing}
            wasRenewed={state.renewal?.isByCoupon === false}
          />
        )}
      </div>
      <div className="grid gap-6">
        <Instructions isFree={isFree} />
        <SubmitForm
          quote={quote}
          method={method}
          renewal={state.renewal}
          notRenewed={<NotLoaded error={state.error} isRenewing={state.isRenewing} onRenew={state.renew} />}
          isQuoteLive={state.secondsLeft > 0 && !state.isRenewing && !state.isCheckingCoupon}
          onQuoteOver={state.renew}
          onSubmitted={onSubmitted}
        />
        <ImportantNotes isFree={isFree} />
      </div>
    </div>
  );
}

function Placeholder(): ReactNode {
  return (
    <div role="status" className="grid gap-6 lg:grid-cols-2">
      <span className="sr-only">Loading payment information...</span>
      <Skeleton className="h-64" />
      <Skeleton className="h-64" />
      <Skeleton className="h-96" />
      <Skeleton className="h-80" />
    </div>
  );
}
