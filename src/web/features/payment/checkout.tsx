import { useState, type ReactNode } from "react";
import type { Quote } from "#domain/api/quotes";
import { packages, type PackageType } from "#domain/packages";
import type { CryptoType } from "#domain/wallet-settings";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CouponBox } from "./coupon-box.tsx";
import { Details } from "./details.tsx";
import { LaunchOffer } from "./launch-offer.tsx";
import { MethodChoice, NoMethod } from "./method-choice.tsx";
import { ImportantNotes, Instructions } from "./notes.tsx";
import { OrderSummary } from "./order-summary.tsx";
import { Countdown } from "./quote-notice.tsx";
import { Standing } from "./standing.tsx";
import { SubmitForm } from "./submit-form.tsx";
import { useQuote } from "./use-quote.ts";

interface CheckoutProps {
  packageType: PackageType;
  onSubmitted: () => void;
}

/** What is bought and how it is paid on the left, the proof of payment on the right; one after the other on a phone. */
export function Checkout({ packageType, onSubmitted }: CheckoutProps): ReactNode {
  const state = useQuote(packageType);
  const { quote } = state;
  const [wish, setWish] = useState<CryptoType>("bitcoin");

  return (
    <>
      <LaunchOffer />
      <h1 className="text-heading">{packages[packageType].name} package</h1>
      <p className="mt-2 mb-6 text-muted">Pay once, upload a screenshot, and we unlock the course.</p>
      <div className="grid gap-6">
        <Standing packageType={packageType} />
        {state.error !== undefined && (
          <Banner tone="loss" title={state.error}>
            <Button kind="secondary" size="small" className="mt-2" disabled={state.isRenewing} onClick={state.renew}>
              Try again
            </Button>
          </Banner>
        )}
        {quote ? (
          <Form quote={quote} state={state} wish={wish} onWish={setWish} onSubmitted={onSubmitted} />
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
  wish: CryptoType;
  onWish: (method: CryptoType) => void;
  onSubmitted: () => void;
}

function Form({ quote, state, wish, onWish, onSubmitted }: FormProps): ReactNode {
  // The wish holds while it can be had: Bitcoin at first, else the first method that is set up.
  const usable = quote.methods.filter(({ available }) => available);
  const chosen = usable.find(({ crypto_type }) => crypto_type === wish) ?? usable[0];
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="grid gap-6">
        <OrderSummary quote={quote}>
          <CouponBox state={state} />
        </OrderSummary>
        {quote.is_sample && chosen && (
          <Banner tone="caution" title="Sample details – do not pay">
            The addresses and the account below are made up. Nothing sent to them can be recovered.
          </Banner>
        )}
        <MethodChoice methods={quote.methods} chosen={chosen?.crypto_type} onChoose={onWish} />
        {chosen ? <Details quote={quote} method={chosen} /> : <NoMethod />}
        {chosen && (
          <Countdown secondsLeft={state.secondsLeft} isRenewing={state.isRenewing} wasRenewed={state.renewal !== undefined} />
        )}
      </div>
      <div className="grid gap-6">
        <Instructions />
        <SubmitForm
          quote={quote}
          method={chosen}
          renewal={state.renewal}
          isQuoteLive={state.secondsLeft > 0 && !state.isRenewing && !state.isCheckingCoupon}
          onQuoteOver={state.renew}
          onSubmitted={onSubmitted}
        />
        <ImportantNotes />
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
