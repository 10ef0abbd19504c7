import { Timer } from "lucide-react";
import type { ReactNode } from "react";
import { clock } from "../../../platform/format.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import type { Renewal } from "./use-quote.ts";

interface CountdownProps {
  secondsLeft: number;
  isRenewing: boolean;
  wasRenewed: boolean;
}

/** How long the amounts hold (QUOTE-2). */
export function Countdown({ secondsLeft, isRenewing, wasRenewed }: CountdownProps): ReactNode {
  return (
    <p className="flex items-center gap-2 text-small text-muted">
      {isRenewing ? <Spinner /> : <Timer aria-hidden className="size-4 shrink-0" />}
      {isRenewing ? (
        "Renewing the amounts..."
      ) : secondsLeft === 0 ? (
        "These amounts have expired. Please wait for the new ones before you pay."
      ) : (
        <span>
          {wasRenewed ? "The amounts were renewed and hold for another" : "These amounts hold for another"}{" "}
          <span role="timer" className="figures font-medium text-ink">
            {clock(secondsLeft)}
          </span>{" "}
          minutes{wasRenewed ? "." : ", then they are renewed."}
        </span>
      )}
    </p>
  );
}

/** What a renewal changed, where the student is about to submit. */
export function RenewalNotice({ renewal }: { renewal: Renewal | undefined }): ReactNode {
  if (renewal === undefined) return null;
  const { isByCoupon, changes } = renewal;
  const title = isByCoupon ? "More than the price has changed" : "The quote expired and was renewed";
  return (
    <Banner tone={changes.length > 0 ? "caution" : "info"} title={title}>
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

interface NotLoadedProps {
  error: string | undefined;
  isRenewing: boolean;
  onRenew: () => void;
}

/** No amounts, or none that hold: the way to ask again. */
export function NotLoaded({ error, isRenewing, onRenew }: NotLoadedProps): ReactNode {
  if (error === undefined) return null;
  return (
    <Banner tone="loss" title={error}>
      <Button variant="secondary" size="small" className="mt-2" disabled={isRenewing} onClick={onRenew}>
        Try again
      </Button>
    </Banner>
  );
}
