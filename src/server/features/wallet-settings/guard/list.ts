import type { GuardedChanges } from "#domain/api/payments/guard";
import { takeEffect } from "#domain/guard/delay";
import { cryptoTypes } from "#domain/payment-methods/methods";
import type { Dependencies } from "../../../dependencies.ts";
import { findSettings } from "../queries.ts";
import { settingsOf } from "../views.ts";
import { findAllUndoable } from "./queries.ts";
import { guardedChangeView } from "./views.ts";

/** Returns the changes of the last 72 hours, newest first, and the destinations that are not quoted yet (GUARD-3, GUARD-5). */
export async function listGuardedChanges(deps: Dependencies): Promise<GuardedChanges> {
  const now = deps.clock.now();
  const [rows, settings] = await Promise.all([findAllUndoable(deps.db, now), findSettings(deps.db)]);
  const effect = takeEffect({ saved: settingsOf(settings!), held: settings!.held_destinations }, now);
  return {
    items: rows.map(guardedChangeView),
    takes_effect: cryptoTypes.flatMap((crypto_type) => {
      const at = effect[crypto_type];
      return at === undefined ? [] : [{ crypto_type, at }];
    }),
  };
}
