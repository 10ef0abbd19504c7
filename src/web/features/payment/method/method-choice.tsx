import type { ReactNode } from "react";
import type { Quote } from "#domain/api/payments/quotes";
import { paymentMethod, type CryptoType } from "#domain/payment-methods/methods";
import { Banner } from "../../../ui/banner.tsx";
import { ContactLine } from "../../../ui/contact-line.tsx";
import { cx } from "../../../ui/cx.ts";
import { Step } from "../step.tsx";
import { isChoosable } from "../submit/earlier-payments.ts";

interface MethodChoiceProps {
  quote: Quote;
  methods: Quote["methods"];
  selected: CryptoType | undefined;
  onSelect: (method: CryptoType) => void;
}

/** The payment methods; one that is not set up says so, and cannot be chosen (QUOTE-5) unless it was quoted before (QUOTE-6). */
export function MethodChoice({ quote, methods, selected, onSelect }: MethodChoiceProps): ReactNode {
  const options = methods.map((method) => ({ ...method, canChoose: isChoosable(quote, method) }));
  return (
    <fieldset className="mt-5">
      <legend className="mb-1.5 text-small font-medium">Payment method</legend>
      <div className="grid grid-cols-3 gap-2">
        {options.map(({ crypto_type: method, available, canChoose }) => (
          <label
            key={method}
            className={cx(
              "relative grid content-start justify-items-start gap-1.5 rounded-control border bg-surface p-2.5 transition-colors",
              "has-focus-visible:outline-2 has-focus-visible:outline-action",
              method === selected ? "border-action" : "border-control",
              canChoose ? "hover:border-action" : "cursor-not-allowed opacity-75",
            )}
          >
            <input
              type="radio"
              name="method"
              value={method}
              checked={method === selected}
              disabled={!canChoose}
              className="size-4.5 shrink-0 rounded-full outline-none"
              onChange={() => onSelect(method)}
            />
            <span className="min-w-0 text-small leading-5 font-medium">
              {paymentMethod(method).name}
              <span className="block font-normal text-muted">
                {available ? paymentMethod(method).currency : canChoose ? "Only if already paid" : "Not set up yet"}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The second step of a method that the owner has removed: without a destination, for who has paid by it before (QUOTE-6). */
export function RemovedMethod({ method }: { method: CryptoType }): ReactNode {
  const { name, destinationName } = paymentMethod(method);
  return (
    <Step number={2} title={`${name} payment`} aria-label="Payment details">
      <Banner tone="caution" title={`${name} is no longer available`}>
        Please send nothing to the earlier {destinationName}. If you have paid already, tick the amount in step 3; otherwise
        choose another method.
      </Banner>
    </Step>
  );
}

/** Displayed when no method is set up, with the contacts. */
export function NoMethod(): ReactNode {
  return (
    <Banner tone="caution" title="No payment method is set up yet">
      Please come back later. Your account stays as it is.
      <ContactLine className="mt-1">To hear when payments open, write to</ContactLine>
    </Banner>
  );
}
