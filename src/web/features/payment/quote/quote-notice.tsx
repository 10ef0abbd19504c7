import type { ReactNode } from "react";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import type { Renewal } from "./use-quote.ts";

const titles: Record<Renewal["reason"], string> = {
  expired: "The quote expired and was renewed",
  void: "The seller ended this quote, and it was renewed",
  coupon: "More than the price has changed",
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
      <Button variant="secondary" size="small" className="mt-2" disabled={isRenewing} onClick={() => onRenew()}>
        Try again
      </Button>
    </Banner>
  );
}
