import { Timer } from "lucide-react";
import type { ReactNode } from "react";
import { clock } from "../../platform/format.ts";
import { Banner } from "../../ui/banner.tsx";
import { Spinner } from "../../ui/spinner.tsx";

interface QuoteNoticeProps {
  secondsLeft: number;
  isRenewing: boolean;
  renewal: string[] | undefined;
}

/** How long the amounts hold, and what changed when they were renewed (decisions 6). */
export function QuoteNotice({ secondsLeft, isRenewing, renewal }: QuoteNoticeProps): ReactNode {
  return (
    <div className="grid gap-3">
      {renewal && (
        <Banner tone={renewal.length > 0 ? "caution" : "info"} title="The quote expired and was renewed">
          {renewal.length === 0 ? (
            "All amounts stay the same."
          ) : (
            <ul className="mt-1 list-disc pl-4">
              {renewal.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          )}
        </Banner>
      )}
      <p className="flex items-center gap-2 text-small text-muted">
        {isRenewing ? <Spinner /> : <Timer aria-hidden className="size-4 shrink-0" />}
        {isRenewing ? (
          "Renewing the amounts..."
        ) : (
          <span>
            These amounts hold for another{" "}
            <span role="timer" className="figures font-medium text-ink">
              {clock(secondsLeft)}
            </span>{" "}
            minutes, then they are renewed.
          </span>
        )}
      </p>
    </div>
  );
}
