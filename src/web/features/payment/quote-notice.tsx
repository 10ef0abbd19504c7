import { Timer } from "lucide-react";
import type { ReactNode } from "react";
import { clock } from "../../platform/format.ts";
import { Banner } from "../../ui/banner.tsx";
import { Spinner } from "../../ui/spinner.tsx";

interface CountdownProps {
  secondsLeft: number;
  isRenewing: boolean;
  wasRenewed: boolean;
}

/** How long the amounts hold (decisions 6). */
export function Countdown({ secondsLeft, isRenewing, wasRenewed }: CountdownProps): ReactNode {
  return (
    <p className="flex items-center gap-2 text-small text-muted">
      {isRenewing ? <Spinner /> : <Timer aria-hidden className="size-4 shrink-0" />}
      {isRenewing ? (
        "Renewing the amounts..."
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
export function Renewal({ changes }: { changes: string[] | undefined }): ReactNode {
  if (changes === undefined) return null;
  return (
    <Banner tone={changes.length > 0 ? "caution" : "info"} title="The quote expired and was renewed">
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
