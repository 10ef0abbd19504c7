import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit, type Actor } from "../../../platform/audit.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { requireStudentAccount } from "../account.ts";
import { lockById } from "../queries.ts";
import { endSessions } from "../sessions/end.ts";
import { factorRemovedByAdminMail } from "./mail.ts";
import * as queries from "./queries.ts";

/**
 * Turns off the second factor of a student who lost phone and recovery codes: deletes it, ends all sessions, and notifies the student
 * (FACTOR-6). Throws `user_not_found`, `admin_account_fixed` or `second_factor_not_found`.
 */
export function removeSecondFactor(deps: Dependencies, admin: Actor, userId: string): Promise<void> {
  const now = deps.clock.now();
  return transaction(deps.db, async (tx) => {
    const account = requireStudentAccount(await lockById(tx, userId));
    if (!(await queries.findVerifiedFactor(tx, userId))) throw new ProductError("second_factor_not_found");
    // One of them may belong to somebody who has the password but not the code.
    await endSessions(tx, userId, "all", now);
    await queries.deleteAllFactors(tx, userId);
    await recordAudit(tx, admin, {
      at: now,
      action: "user.second-factor-off",
      subject: { type: "account", id: userId },
      details: { email: account.email, before: "on", after: "off" },
    });
    await deps.outbox.enqueue(tx, factorRemovedByAdminMail(deps.config.site, account.email));
  });
}
