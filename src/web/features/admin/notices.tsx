import { useEffect, useState, type ReactNode } from "react";
import { MailFailures } from "./mail-failures/mail-failures.tsx";
import { useMailFailures } from "./mail-failures/queries.ts";
import { ChangesNotice } from "./settings/guard/changes-notice.tsx";
import { useGuardedChanges } from "./settings/guard/queries.ts";
import { PriceWarning } from "./settings/prices/price-warning.tsx";
import { useCoinPrices } from "./settings/prices/queries.ts";

const longestWaitMs = 1000;

/** What needs the admin whichever tab is open. Overview and settings say some of it themselves. */
export function Notices({ tab, onOpenSettings }: { tab: string; onOpenSettings: () => void }): ReactNode {
  return (
    <div className="grid grid-cols-1 gap-2 empty:hidden">
      <ChangesNotice />
      <MailFailures />
      {tab !== "settings" && tab !== "overview" && <PriceWarning onOpen={onOpenSettings} />}
    </div>
  );
}

/**
 * Returns whether all notices have been read, failed, or kept the page waiting for a second: what stands below them is shown from then on,
 * since a notice that came later would move it away under the pointer.
 */
export function useAreNoticesRead(): boolean {
  const [isWaitOver, setIsWaitOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsWaitOver(true), longestWaitMs);
    return () => clearTimeout(timer);
  }, []);
  const reads = [useGuardedChanges(), useMailFailures(), useCoinPrices()];
  return isWaitOver || reads.every(({ isPending, failureCount }) => !isPending || failureCount > 0);
}
