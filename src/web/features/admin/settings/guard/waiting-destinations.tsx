import type { ReactNode } from "react";
import type { GuardedChanges } from "#domain/api/payments/guard";
import { waitingText } from "#domain/guard/delay";
import { utcDateTime } from "../../../../platform/format.ts";

/** From when students see the saved destinations that wait (GUARD-5). */
export function WaitingDestinations({ of: waiting }: { of: GuardedChanges["takes_effect"] }): ReactNode {
  return waiting.map(({ crypto_type, at }) => (
    <p key={crypto_type} className="not-first:mt-1">
      {waitingText(crypto_type, utcDateTime(at))}
    </p>
  ));
}
