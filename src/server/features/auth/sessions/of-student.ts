import type { UserDetail } from "#domain/api/users";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit, type Actor } from "../../../platform/audit.ts";
import { oldestStart } from "../../../platform/db/session-lifetime.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { requireStudentAccount } from "../account.ts";
import { lockById } from "../queries.ts";
import { endSessions } from "./end.ts";
import * as queries from "./queries.ts";
import { sessionView } from "./views.ts";

/** Returns the newest open sessions of a student, for the admin (USER-4). */
export async function listSessionsOf(deps: Dependencies, accountId: string, limit: number): Promise<UserDetail["sessions"]> {
  const startedAfter = oldestStart(deps.clock.now());
  const rows = await queries.findAllLive(deps.db, { accountId, startedAfter, after: undefined, limit });
  return rows.map(sessionView);
}

/**
 * Ends one session of a student, or all, for the admin, and returns how many (USER-4). Throws `user_not_found`, `admin_account_fixed`, and
 * `session_ended` when the one has ended or is another's.
 */
export function endStudentSessions(
  deps: Dependencies,
  admin: Actor,
  userId: string,
  choice: { only: string } | "all",
): Promise<number> {
  const now = deps.clock.now();
  return transaction(deps.db, async (tx) => {
    const account = requireStudentAccount(await lockById(tx, userId));
    const ended = await endSessions(tx, userId, choice, now);
    if (ended === 0 && choice !== "all") throw new ProductError("session_ended");
    await recordAudit(tx, admin, {
      at: now,
      action: "user.sessions-end",
      subject: { type: "account", id: userId },
      // Stryker disable next-line LeftOperand,StringLiteral: undefined is not stored.
      details: { email: account.email, ended, ...(choice !== "all" && { session: choice.only }) },
    });
    return ended;
  });
}
