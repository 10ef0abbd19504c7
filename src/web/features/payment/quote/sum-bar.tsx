import { Timer } from "lucide-react";
import type { ReactNode } from "react";
import type { Quote } from "#domain/api/payments/quotes";
import { packages } from "#domain/packages";
import { amountText, type QuotedMethod } from "#domain/payment-methods/methods";
import { clock, usd } from "../../../platform/format.ts";
import { Spinner } from "../../../ui/spinner.tsx";
import { ShowCurrentAmounts } from "./quote-notice.tsx";
import type { QuoteState } from "./use-quote.ts";

interface SumBarProps {
  quote: Quote;
  method: QuotedMethod;
  state: Pick<QuoteState, "secondsLeft" | "isRenewing" | "isStopped" | "renewal" | "renew">;
}

/** The amount and how long it holds (QUOTE-2): above the steps on a wide screen, else at the bottom, always in view. */
export function SumBar({ quote, method, state }: SumBarProps): ReactNode {
  return (
    <div
      data-bottom-bar
      className="z-20 flex items-center justify-between gap-x-6 border-line bg-surface py-2.5 max-xl:sticky max-xl:bottom-0 max-xl:order-last max-xl:-mx-4 max-xl:border-y max-xl:px-4 sm:max-xl:-mx-6 sm:max-xl:px-6 xl:rounded-panel xl:border xl:px-6"
    >
      <p className="figures" translate="no">
        <span className="block font-semibold xl:inline xl:text-title">
          {amountText(method.crypto_type, method.amount_crypto)}
        </span>{" "}
        <span className="block text-small text-muted xl:ml-3 xl:inline">
          {packages[quote.package_type].name}, {usd(quote.amount_usd)}
        </span>
      </p>
      {state.isStopped ? (
        <div role="status" className="flex flex-wrap items-center justify-end gap-x-4 gap-y-1 text-small">
          <span className="text-caution">These amounts have expired.</span>
          <ShowCurrentAmounts onRenew={state.renew} />
        </div>
      ) : (
        <Countdown {...state} />
      )}
    </div>
  );
}

function Countdown({ secondsLeft, isRenewing, renewal }: SumBarProps["state"]): ReactNode {
  const wasRenewed = renewal !== undefined && renewal.reason !== "coupon";
  return (
    <p className="flex items-center gap-2 text-small text-muted">
      {isRenewing ? <Spinner /> : <Timer aria-hidden className="size-4 shrink-0" />}
      <span>
        {isRenewing ? (
          "Renewing the amounts..."
        ) : secondsLeft === 0 ? (
          "These amounts have expired. Please wait for the new ones before you pay."
        ) : (
          <>
            <span>{wasRenewed ? "Renewed, holds for" : "Holds for"}</span>{" "}
            <span role="timer" translate="no" className="figures font-medium text-ink">
              {clock(secondsLeft)}
            </span>
          </>
        )}
      </span>
    </p>
  );
}
