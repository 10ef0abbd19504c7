import { useEffect, useRef, useState, type SubmitEvent, type ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { Button } from "../../../ui/button.tsx";
import { ContactLine } from "../../../ui/contact-line.tsx";
import { TextField } from "../../../ui/field.tsx";
import type { QuoteState } from "./use-quote.ts";

/** None, applied, and back to none; the server decides what a code is worth (COUPON-1). */
export function CouponBox({ state }: { state: QuoteState }): ReactNode {
  const [text, setText] = useState("");
  const { quote, couponError, couponOffersHelp, isCheckingCoupon, isRenewing, isStopped, hasAppliedCoupon } = state;
  const { applyCoupon, removeCoupon, clearCouponError } = state;
  const applied = quote?.coupon_code ?? null;
  const held = quote?.coupon_held ? " Its uses are limited: one is kept for you until this quote ends." : "";
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Applied by the launch offer, whose button is gone now.
    if (hasAppliedCoupon && document.activeElement === document.body) field.current?.focus();
  }, [hasAppliedCoupon]);
  const isWrong = applied === null && couponError !== undefined;
  useEffect(() => {
    // Not away from what the student went on to meanwhile.
    if (isWrong && field.current?.form?.contains(document.activeElement)) field.current.focus();
  }, [isWrong]);

  const apply = (event: SubmitEvent): void => {
    event.preventDefault();
    if (applied === null && !isCheckingCoupon) applyCoupon(text);
  };
  const remove = (): void => {
    setText("");
    clearCouponError();
    removeCoupon();
  };

  return (
    <form className="mt-4 grid gap-3" onSubmit={apply} noValidate>
      <div className="grid grid-cols-[1fr_auto] items-start gap-3">
        <TextField
          ref={field}
          label="Coupon code"
          name="coupon"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          className="font-figures uppercase"
          readOnly={applied !== null}
          value={applied ?? text}
          error={couponError}
          onChange={(event) => {
            setText(event.target.value.toUpperCase());
            clearCouponError();
          }}
        />
        {applied === null ? (
          <Button
            type="submit"
            variant="secondary"
            className="mt-6.75 min-w-24"
            isBusy={isCheckingCoupon}
            disabled={isRenewing || isStopped}
          >
            <span>{texts.payment.apply}</span>
            <span className="sr-only">the coupon</span>
          </Button>
        ) : (
          <Button
            variant="secondary"
            className="mt-6.75 min-w-24"
            isBusy={isCheckingCoupon}
            disabled={isRenewing || isStopped}
            onClick={remove}
          >
            <span>{texts.payment.remove}</span>
            <span className="sr-only">{`the coupon ${applied}`}</span>
          </Button>
        )}
      </div>
      {couponOffersHelp && <ContactLine>If this goes on, write to</ContactLine>}
      <p role="status" className="text-small text-gain empty:hidden">
        {applied === null ? "" : `Coupon ${applied} applied: ${quote?.discount_percent}% off.${held}`}
      </p>
    </form>
  );
}
