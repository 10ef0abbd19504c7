import type { ReactNode } from "react";
import { paymentMethod } from "#domain/payment-methods/methods";
import { utcDateTime } from "../../../../platform/format.ts";
import { Banner } from "../../../../ui/banner.tsx";
import { useGuardedChanges } from "./queries.ts";

/** The changes of where payments go, for 72 hours and in every tab (GUARD-3). It cannot be dismissed: a thief would. */
export function ChangesNotice(): ReactNode {
  const { data } = useGuardedChanges();
  if (!data || data.items.length === 0) return null;
  return (
    <Banner tone="caution" title="The payment settings were changed in the last 72 hours">
      <ul className="mt-1 grid gap-2">
        {data.items.map(({ id, at, changes, by, network, device, undone_at }) => (
          <li key={id} className="wrap-anywhere">
            {changes.map(({ label }) => label).join(", ")}: {utcDateTime(at)}, by {by} from {network} with {device}.
            {undone_at !== null && ` Undone ${utcDateTime(undone_at)}.`}
            <details>
              <summary className="w-fit cursor-pointer py-1 underline">Old and new values</summary>
              {changes.map(({ field, label, before, after }) => (
                <p key={field}>
                  {label}: {after || "empty"}, before {before || "empty"}
                </p>
              ))}
            </details>
          </li>
        ))}
      </ul>
      {data.takes_effect.map(({ crypto_type, at }) => (
        <p key={crypto_type} className="mt-1">
          {paymentMethod(crypto_type).name}: students see the new destination from {utcDateTime(at)}, and the former one until
          then.
        </p>
      ))}
      <p className="mt-1">If this was not you, undo it by the link in the mail about it, and change your password.</p>
    </Banner>
  );
}
