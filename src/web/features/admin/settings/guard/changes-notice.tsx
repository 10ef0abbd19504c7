import type { ReactNode } from "react";
import { settingText } from "#domain/payment-methods/settings";
import { utcDateTime } from "../../../../platform/format.ts";
import { Banner } from "../../../../ui/banner.tsx";
import { FoldedNotice } from "../../folded-notice.tsx";
import { useGuardedChanges } from "./queries.ts";
import { WaitingDestinations } from "./waiting-destinations.tsx";

/** The changes of where payments go, for 72 hours and in every tab (GUARD-3). It cannot be dismissed: a thief would. */
export function ChangesNotice(): ReactNode {
  const { data } = useGuardedChanges();
  if (!data || data.items.length === 0) return null;
  const labels = new Set(data.items.flatMap(({ changes }) => changes.map(({ label }) => label)));
  return (
    <Banner tone="caution" isCompact>
      <FoldedNotice
        line={
          <>
            <strong>
              The payment settings were changed<span className="max-sm:sr-only"> in the last 72 hours</span>:
            </strong>{" "}
            {[...labels].join(", ")}. Not you? Undo it by the link in the mail about it.
          </>
        }
      >
        <ul className="grid gap-2">
          {data.items.map(({ id, at, changes, by, network, device, undone_at }) => (
            <li key={id} className="wrap-anywhere">
              {utcDateTime(at)}, by {by} from {network} with {device}.
              {undone_at !== null && ` Undone ${utcDateTime(undone_at)}.`}
              {changes.map(({ field, label, before, after }) => (
                <p key={field}>
                  {label}: {settingText(field, after) || "empty"}, before {settingText(field, before) || "empty"}
                </p>
              ))}
            </li>
          ))}
        </ul>
        <WaitingDestinations of={data.takes_effect} />
        <p className="mt-1">If this was not you, undo it by the link in the mail about it, and change your password.</p>
      </FoldedNotice>
    </Banner>
  );
}
