import type { RejectionReasons } from "#domain/api/payments/rejection-reasons";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as queries from "./queries.ts";

/** Returns the saved reasons of a rejection, in the order in which they are offered (DECIDE-8). */
export async function listReasons(deps: Dependencies): Promise<RejectionReasons> {
  return { reasons: await queries.findAllReasons(deps.db) };
}

/** Replaces the saved reasons, without those that are there twice, and returns them. */
export function replaceReasons(
  deps: Dependencies,
  actor: Actor,
  { reasons: typed }: RejectionReasons,
): Promise<RejectionReasons> {
  const reasons = [...new Set(typed)];
  return transaction(deps.db, async (tx) => {
    await queries.lockReasons(tx);
    const before = await queries.findAllReasons(tx);
    await queries.replaceAllReasons(tx, reasons);
    await recordAudit(tx, actor, {
      at: deps.clock.now(),
      action: "rejection-reasons.replace",
      subject: { type: "rejection-reasons", id: "1" },
      details: { before, after: reasons },
    });
    return { reasons };
  });
}
