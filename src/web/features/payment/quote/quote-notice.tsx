import type { ReactNode } from "react";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import type { QuoteState, Renewal } from "./use-quote.ts";

const titles: Record<Renewal["reason"], string> = {
  expired: "The quote expired and was renewed",
  void: "The seller ended this quote, and it was renewed",
  coupon: "More than the price has changed",
  tier: "Your package has changed, and the amounts were renewed",
};

/** What a renewal changed, where the student is about to submit. */
export function RenewalNotice({ renewal }: { renewal: Renewal | undefined }): ReactNode {
  if (renewal === undefined) return null;
  const { reason, changes } = renewal;
  return (
    <Banner tone={changes.length > 0 ? "caution" : "info"} title={titles[reason]}>
      {changes.length === 0 ? (
        "All amounts stay the same."
      ) : (
        <ul className="mt-1 list-disc pl-4">
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      )}
    </Banner>
  );
}

/** Asks for new amounts where the page no longer does so by itself (QUOTE-10). */
export function ShowCurrentAmounts({ onRenew }: { onRenew: () => void }): ReactNode {
  return (
    <Button variant="secondary" size="small" onClick={() => onRenew()}>
      Show current amounts
    </Button>
  );
}

/** Why the amounts do not hold, where nothing else on the page says so: they could not be renewed, or nobody has asked for it. */
export function NotRenewed({ state, hasBar }: { state: QuoteState; hasBar: boolean }): ReactNode {
  if (!state.isStopped) return <NotLoaded error={state.error} isRenewing={state.isRenewing} onRenew={state.renew} />;
  // The bar with the amount has the same button.
  if (hasBar) return null;
  return (
    <Banner tone="caution" title="These amounts have expired.">
      <ShowCurrentAmounts onRenew={state.renew} />
    </Banner>
  );
}

interface NotLoadedProps {
  error: string | undefined;
  isRenewing: boolean;
  onRenew: () => void;
}

/** No amounts, or none that hold: the way to ask again. */
export function NotLoaded({ error, isRenewing, onRenew }: NotLoadedProps): ReactNode {
  if (error === undefined) return null;
  return (
    <Banner tone="loss" offersHelp title={error}>
      <Button variant="secondary" size="compact" className="mt-2" disabled={isRenewing} onClick={() => onRenew()}>
        Try again
      </Button>
    </Banner>
  );
}
