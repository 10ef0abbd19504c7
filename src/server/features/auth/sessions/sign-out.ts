import type { LogoutScope } from "#domain/api/auth";
import type { Dependencies } from "../../../dependencies.ts";
import type { Principal } from "../../../platform/http/access.ts";
import * as queries from "./queries.ts";

/** Ends the caller's session, all of the caller's sessions, or all others. The table's trigger closes their event streams. */
export async function signOut(deps: Dependencies, principal: Principal, scope: LogoutScope): Promise<void> {
  const choices = {
    local: { only: principal.sessionId },
    others: { except: principal.sessionId },
    global: "all",
  } as const satisfies Record<LogoutScope, queries.SessionChoice>;
  await queries.revokeSessions(deps.db, principal.id, choices[scope], deps.clock.now());
}
