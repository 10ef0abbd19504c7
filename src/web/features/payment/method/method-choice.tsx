import type { ReactNode } from "react";
import type { Quote } from "#domain/api/quotes";
import { paymentMethod, type CryptoType } from "#domain/payment-methods/methods";
import { Banner } from "../../../ui/banner.tsx";
import { cx } from "../../../ui/cx.ts";

interface MethodChoiceProps {
  methods: Quote["methods"];
  selected: CryptoType | undefined;
  onSelect: (method: CryptoType) => void;
}

/** The three payment methods; one that is not set up says so and cannot be chosen (QUOTE-5). */
export function MethodChoice({ methods, selected, onSelect }: MethodChoiceProps): ReactNode {
  return (
    <fieldset>
      <legend className="mb-3 text-title font-semibold tracking-tight">Payment method</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {methods.map(({ crypto_type: method, available }) => (
          <label
            key={method}
            className={cx(
              "relative flex min-h-14 items-center gap-3 rounded-control border bg-surface px-4 py-2.5 transition-colors",
              "has-focus-visible:outline-2 has-focus-visible:outline-action",
              method === selected ? "border-action" : "border-control",
              available ? "hover:border-action" : "cursor-not-allowed opacity-75",
            )}
          >
            <input
              type="radio"
              name="method"
              value={method}
              checked={method === selected}
              disabled={!available}
              className="size-4.5 shrink-0 outline-none"
              onChange={() => onSelect(method)}
            />
            <span className="min-w-0 text-small font-medium">
              {paymentMethod(method).name}
              <span className="block font-normal text-muted">
                {available ? paymentMethod(method).currency : "Not set up yet"}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** No method is set up: says whom to ask. */
export function NoMethod(): ReactNode {
  return (
    <Banner tone="caution" title="No payment method is set up yet">
      Please ask the course team when payments open: reply to the email that brought your verification code.
    </Banner>
  );
}
