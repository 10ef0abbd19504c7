import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit, type Actor } from "../../../platform/audit.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Principal } from "../../../platform/http/access.ts";
import { lockCaller } from "../../auth/service.ts";
import { advanceQuoteGeneration, lockSettings } from "../queries.ts";
import { countOpenQuotes } from "./queries.ts";

/** Returns how many quotes are open: neither expired, void nor used. */
export async function readOpenQuotes(deps: Dependencies): Promise<{ count: number }> {
  return { count: await countOpenQuotes(deps.db, deps.clock.now()) };
}

/** Ends every open quote at once and returns how many there were (GUARD-4). Throws `not_signed_in` when the session has ended meanwhile. */
export function voidOpenQuotes(deps: Dependencies, principal: Principal, actor: Actor): Promise<{ count: number }> {
  return transaction(deps.db, async (tx) => {
    await lockSettings(tx);
    await lockCaller(deps, tx, principal);
    const at = deps.clock.now();
    const count = await countOpenQuotes(tx, at);
    await advanceQuoteGeneration(tx);
    await recordAudit(tx, actor, {
      at,
      action: "quotes.void",
      subject: { type: "wallet-settings", id: "1" },
      details: { count },
    });
    return { count };
  });
}
