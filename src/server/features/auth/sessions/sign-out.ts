import type { LogoutScope } from "#domain/api/auth";
import type { Dependencies } from "../../../dependencies.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Principal } from "../../../platform/http/access.ts";
import { endOwnSessions } from "./end.ts";
import { revokeSessions } from "./queries.ts";

/**
 * Ends the caller's session, all of the caller's sessions, or all others. The table's trigger closes their event streams. A session
 * that has yet to pass the second factor ends itself alone, whatever the scope (FACTOR-2).
 */
export async function signOut(deps: Dependencies, principal: Principal, ip: string, scope: LogoutScope): Promise<void> {
  const { id, sessionId, hasSecondFactor, passedSecondFactor } = principal;
  const now = deps.clock.now();
  if (scope === "local" || (hasSecondFactor && !passedSecondFactor)) {
    await revokeSessions(deps.db, id, { only: sessionId }, now);
  } else {
    const choice = scope === "global" ? "all" : { except: sessionId };
    await transaction(deps.db, (tx) => endOwnSessions(tx, actorOf(principal, ip), choice, now));
  }
}

/** Returns the caller as the audit log names them. */
export function actorOf({ id, email }: Principal, ip: string): { id: string; email: string; ip: string } {
  return { id, email, ip };
}
