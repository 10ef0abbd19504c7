import { useState, type ReactNode } from "react";
import * as z from "zod/mini";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { Quote } from "#domain/api/payments/quotes";
import type { PackageType } from "#domain/packages";
import { cryptoTypes, type CryptoType } from "#domain/payment-methods/methods";
import { useMe } from "../../entities/session/session.tsx";
import { useKeptState } from "../../platform/kept-state.ts";
import { CheckoutLead } from "./frame.tsx";
import { LaunchOffer } from "./launch-offer.tsx";
import { CheckoutLoading } from "./loading.tsx";
import { Details } from "./method/details.tsx";
import { MethodChoice, NoMethod, RemovedMethod } from "./method/method-choice.tsx";
import { SampleNotice } from "./method/sample-notice.tsx";
import { NothingLeft } from "./nothing-left.tsx";
import { CouponBox } from "./quote/coupon-box.tsx";
import { ImportantNotes } from "./quote/notes.tsx";
import { OrderSummary } from "./quote/order-summary.tsx";
import { isNothingLeft } from "./quote/price-lines.tsx";
import { NotLoaded, NotRenewed } from "./quote/quote-notice.tsx";
import { SumBar } from "./quote/sum-bar.tsx";
import { isChoosable } from "./submit/earlier-payments.ts";
import { SubmitForm } from "./submit/submit-form.tsx";
import { useQuote, type QuoteState } from "./quote/use-quote.ts";

interface CheckoutProps {
  packageType: PackageType;
  onSubmitted: (request: PaymentRequest) => void;
}

/** Three steps: what and how, pay, proof. One below the other on a phone, side by side on a desk. */
export function Checkout({ packageType, onSubmitted }: CheckoutProps): ReactNode {
  const { subscription_status: tier } = useMe();
  const state = useQuote(packageType, tier);
  const { quote } = state;
  const place = `payment of ${packageType}: method`;
  const [selected, setSelected] = useKeptState<CryptoType | undefined>(place, undefined, z.enum(cryptoTypes));

  return (
    <>
      <CheckoutLead isFree={quote !== undefined && isNothingLeft(quote)} />
      {/* Together with the steps, which it would push down. */}
      {quote && <LaunchOffer packageType={packageType} state={state} />}
      {!quote && <NotLoaded error={state.error} isRenewing={state.isRenewing} onRenew={state.renew} />}
      {quote ? (
        <Steps quote={quote} state={state} selected={selected} onSelect={setSelected} onSubmitted={onSubmitted} />
      ) : (
        state.error === undefined && <CheckoutLoading />
      )}
    </>
  );
}

interface StepsProps {
  quote: Quote;
  state: QuoteState;
  /** Undefined until the student selects one. */
  selected: CryptoType | undefined;
  onSelect: (method: CryptoType) => void;
  onSubmitted: (request: PaymentRequest) => void;
}

function Steps({ quote, state, selected: chosen, onSelect, onSubmitted }: StepsProps): ReactNode {
  const firstAvailable = quote.methods.find(({ available }) => available);
  // A student may have paid by the method that was displayed first, also where a later quote lacks it.
  const [displayedFirst] = useState(firstAvailable?.crypto_type);
  const selected = chosen ?? displayedFirst;
  // The selected method is used while it can be chosen, otherwise the first available one.
  const method = quote.methods.find((one) => one.crypto_type === selected && isChoosable(quote, one)) ?? firstAvailable;
  const payable = method?.available ? method : undefined;
  const isQuoteLive = state.secondsLeft > 0 && !state.isRenewing && !state.isCheckingCoupon;
  const isFree = isNothingLeft(quote);
  const notRenewed = <NotRenewed state={state} hasBar={!isFree && payable !== undefined} />;
  if (isFree) {
    return <NothingLeft {...{ quote, state, selected, onSelect, notRenewed, isQuoteLive, onSubmitted }} />;
  }
  return (
    <div className="flex flex-col gap-6">
      {payable && <SumBar quote={quote} method={payable} state={state} />}
      {quote.is_sample && payable && <SampleNotice />}
      <div className="grid items-start gap-6 md:grid-cols-2 xl:grid-cols-[0.95fr_1fr_1.05fr] xl:gap-5">
        <OrderSummary quote={quote}>
          <CouponBox state={state} />
          <MethodChoice quote={quote} methods={quote.methods} selected={method?.crypto_type} onSelect={onSelect} />
          <ImportantNotes method={payable?.crypto_type} />
        </OrderSummary>
        {payable && <Details quote={quote} method={payable} />}
        {method && !payable && <RemovedMethod method={method.crypto_type} />}
        {!method && <NoMethod />}
        <SubmitForm
          {...{ quote, method, notRenewed, isQuoteLive, onSubmitted }}
          renewal={state.renewal}
          onQuoteOver={state.renew}
        />
      </div>
    </div>
  );
}
