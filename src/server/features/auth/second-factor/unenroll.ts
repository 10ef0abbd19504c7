import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit } from "../../../platform/audit.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { requireProven, requireSecondFactor, type Principal } from "../../../platform/http/access.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import { oldestEnrolment } from "./enrolments.ts";
import { factorRemovedMail } from "./mail.ts";
import * as queries from "./queries.ts";

/**
 * Deletes a factor with its recovery codes. A verified factor requires a session that has passed it and is proven; its owner is
 * notified, and sessions that have yet to pass it end (FACTOR-5). Throws `second_factor_not_found`, `second_factor_needed`, `step_up_needed` or
 * `not_signed_in`.
 */
export function unenrollFactor(deps: Dependencies, principal: Principal, factorId: string, ip: string): Promise<void> {
  const { id, email } = principal;
  const now = deps.clock.now();
  return transaction(deps.db, async (tx) => {
    await lockCaller(deps, tx, principal);
    const factor = await queries.findFactor(tx, { accountId: id, factorId, enrolledAfter: oldestEnrolment(now) });
    if (!factor) throw new ProductError("second_factor_not_found");
    await queries.deleteFactor(tx, factorId);
    if (factor.verified_at === null) return;
    requireSecondFactor({ ...principal, hasSecondFactor: true });
    requireProven(principal, now);
    // Somebody who has the password but not the code must not get access by this.
    await queries.revokeSessionsBeforeCode(tx, id, now);
    await queries.clearSecondFactorPassed(tx, id);
    const subject = { type: "account", id };
    const details = { before: "on", after: "off" };
    await recordAudit(tx, { id, email, ip }, { at: now, action: "account.second-factor-off", subject, details });
    await deps.outbox.enqueue(tx, factorRemovedMail(deps.config.site, email));
  });
}
