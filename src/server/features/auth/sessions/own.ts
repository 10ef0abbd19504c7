import type { OwnSession } from "#domain/api/account";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { oldestStart } from "../../../platform/db/session-lifetime.ts";
import type { Principal } from "../../../platform/http/access.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf, type Page, type PageQuery } from "../../../platform/http/cursor.ts";
import { endOwnSessions } from "./end.ts";
import * as queries from "./queries.ts";
import { actorOf, signOut } from "./sign-out.ts";
import { ownSessionView } from "./views.ts";

/** Returns a page of the caller's open sessions, newest first (OWN-1). Throws `invalid_input` for a malformed cursor. */
export async function listOwnSessions(
  deps: Dependencies,
  principal: Principal,
  { limit = defaultPageSize, cursor }: PageQuery,
): Promise<Page<OwnSession>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, [cursorKey.time, cursorKey.id]);
  const rows = await queries.findAllLive(deps.db, {
    accountId: principal.id,
    startedAfter: oldestStart(deps.clock.now()),
    after: after && { createdAt: after[0], id: after[1] },
    limit: limit + 1,
  });
  const { items, next_cursor } = pageOf(rows, limit, (row) => [row.created_at_exact, row.id]);
  return { items: items.map((row) => ownSessionView(row, principal.sessionId)), next_cursor };
}

/** Ends one of the caller's sessions, also the current one (OWN-1). Throws `session_ended` when it has ended or is another's. */
export async function endOwnSession(deps: Dependencies, principal: Principal, ip: string, sessionId: string): Promise<void> {
  if (sessionId === principal.sessionId) return signOut(deps, principal, ip, "local");
  await transaction(deps.db, async (tx) => {
    const ended = await endOwnSessions(tx, actorOf(principal, ip), { only: sessionId }, deps.clock.now());
    if (ended === 0) throw new ProductError("session_ended");
  });
}

/** Ends all of the caller's sessions but the current one, and a pending change of address; returns how many sessions. */
export function endOtherSessions(deps: Dependencies, principal: Principal, ip: string): Promise<number> {
  const others = { except: principal.sessionId };
  return transaction(deps.db, (tx) => endOwnSessions(tx, actorOf(principal, ip), others, deps.clock.now()));
}
