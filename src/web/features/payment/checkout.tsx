import { useEffect, useRef, useState, type ComponentType, type ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payment-requests";
import type { Quote } from "#domain/api/quotes";
import { packages, type PackageType } from "#domain/packages";
import type { CryptoType } from "#domain/wallet-settings";
import { Banner } from "../../ui/banner.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CouponBox } from "./coupon-box.tsx";
import { Details } from "./details.tsx";
import { isNothingLeft } from "./price-lines.tsx";
import { LaunchOffer } from "./launch-offer.tsx";
import { MethodChoice, NoMethod } from "./method-choice.tsx";
import { ImportantNotes, Instructions } from "./notes.tsx";
import { OrderSummary } from "./order-summary.tsx";
import { Countdown, NotLoaded } from "./quote-notice.tsx";
import { SubmitForm } from "./submit-form.tsx";
import { useQuote } from "./use-quote.ts";

export interface CheckoutParts {
  /** How the student's last try to buy this package stands. */
  Standing: ComponentType<{ packageType: PackageType }>;
  /** How long approvals took lately. */
  ApprovalTime: ComponentType;
}

interface CheckoutProps {
  packageType: PackageType;
  parts: CheckoutParts;
  /** Where it takes the place of another view at the same address, which would leave the focus nowhere. */
  takesFocus: boolean;
  onSubmitted: (request: PaymentRequest) => void;
}

/** What is bought and how it is paid on the left, the proof of payment on the right; one after the other on a phone. */
export function Checkout({ packageType, parts, takesFocus, onSubmitted }: CheckoutProps): ReactNode {
  const state = useQuote(packageType);
  const { quote } = state;
  const [wish, setWish] = useState<CryptoType>("bitcoin");
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
        <parts.Standing packageType={packageType} />
        {!quote && <NotLoaded error={state.error} isRenewing={state.isRenewing} onRenew={state.renew} />}
        {quote ? (
          <Form quote={quote} state={state} parts={parts} wish={wish} onWish={setWish} onSubmitted={onSubmitted} />
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
  parts: CheckoutParts;
  wish: CryptoType;
  onWish: (method: CryptoType) => void;
  onSubmitted: (request: PaymentRequest) => void;
}

function Form({ quote, state, parts, wish, onWish, onSubmitted }: FormProps): ReactNode {
  // The wish holds while it can be had: Bitcoin at first, else the first method that is set up.
  const usable = quote.methods.filter(({ available }) => available);
  const chosen = usable.find(({ crypto_type }) => crypto_type === wish) ?? usable[0];
  const isFree = isNothingLeft(quote);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="grid gap-6">
        <OrderSummary quote={quote}>
          <CouponBox state={state} />
        </OrderSummary>
        {quote.is_sample && chosen && !isFree && (
          <Banner tone="caution" title="Sample details – do not pay">
            The addresses and the account below are made up. Nothing sent to them can be recovered.
          </Banner>
        )}
        {!(isFree && chosen) && <MethodChoice methods={quote.methods} chosen={chosen?.crypto_type} onChoose={onWish} />}
        {chosen ? <Details quote={quote} method={chosen} /> : <NoMethod />}
        {chosen && (
          <Countdown
            secondsLeft={state.secondsLeft}
            isRenewing={state.isRenewing}
            wasRenewed={state.renewal?.isByCoupon === false}
          />
        )}
      </div>
      <div className="grid gap-6">
        <Instructions isFree={isFree} approvalTime={<parts.ApprovalTime />} />
        <SubmitForm
          quote={quote}
          method={chosen}
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
