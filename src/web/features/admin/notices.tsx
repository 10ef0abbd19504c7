import type { ReactNode } from "react";
import { useAreRead } from "../../platform/query/use-are-read.ts";
import { MailFailures } from "./mail-failures/mail-failures.tsx";
import { useMailFailures } from "./mail-failures/queries.ts";
import { ChangesNotice } from "./settings/guard/changes-notice.tsx";
import { useGuardedChanges } from "./settings/guard/queries.ts";
import { PriceWarning } from "./settings/prices/price-warning.tsx";
import { useCoinPrices } from "./settings/prices/queries.ts";

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

/** Returns whether the tabs may be drawn below the notices. */
export function useAreNoticesRead(): boolean {
  return useAreRead([useGuardedChanges(), useMailFailures(), useCoinPrices()]);
}
