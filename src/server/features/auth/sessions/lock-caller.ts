import type { Dependencies } from "../../../dependencies.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { oldestStart } from "../../../platform/db/session-lifetime.ts";
import type { Principal } from "../../../platform/http/access.ts";
import { lockById, type AccountRow } from "../queries.ts";
import { NoSessionError } from "./authenticate.ts";
import { lockOpenSession, type LockedSession } from "./queries.ts";

/** The caller's account and session, as they are under their locks. */
export interface LockedCaller {
  account: AccountRow;
  session: LockedSession;
}

/** Returns the caller's account and session, locked until the transaction ends. Throws `not_signed_in` when either has ended meanwhile. */
export async function lockCaller(deps: Dependencies, tx: Transaction, caller: Principal): Promise<LockedCaller> {
  const account = await lockById(tx, caller.id);
  const session = account && (await lockOpenSession(tx, caller.sessionId, oldestStart(deps.clock.now())));
  if (!session) throw new NoSessionError("session_ended");
  return { account, session };
}
