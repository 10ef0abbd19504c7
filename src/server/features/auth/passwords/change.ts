import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit } from "../../../platform/audit.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { requireProven, requireVerified, type Principal } from "../../../platform/http/access.ts";
import { auditWrongPassword } from "../admin/refused-sign-in.ts";
import { markUpdated } from "../profile/queries.ts";
import * as accountQueries from "../queries.ts";
import type { Source } from "../limits/attempts.ts";
import { forgetNetworks, rememberNetwork } from "../limits/familiar-networks.ts";
import { NoSessionError } from "../sessions/authenticate.ts";
import { endSessions } from "../sessions/end.ts";
import type { LockedCaller } from "../sessions/lock-caller.ts";
import { clearByRecovery } from "../sessions/queries.ts";
import { consumePasswordTry } from "./confirm.ts";
import { hashPassword, verifyPassword } from "./hashing.ts";
import { passwordChangedMail } from "./mail.ts";
import { checkNewPassword } from "./new-password.ts";
import { deleteAllRecoveries } from "./queries.ts";
import { isRecovered, tryKeyOf } from "./recovery.ts";

/**
 * Returns the write that sets a new password, ends all other sessions and deletes the account's recovery links (ACCOUNT-6). Unless the
 * session came from a recovery link within the last hour, it must be proven or the current password be sent (STEPUP-2); the admin must always send it: it
 * guards where payments go. `alsoOwn` are the name and address that the same call sets (ACCOUNT-4). Throws `password_weak`,
 * `password_too_long`, `email_not_verified`, `password_same`, `password_confirmation_wrong`, `step_up_needed`, `too_many_requests`,
 * `unavailable` or `not_signed_in`; the write throws `password_confirmation_wrong` or `step_up_needed`.
 */
export async function preparePasswordChange(
  deps: Dependencies,
  principal: Principal,
  form: { password: string; current_password?: string | undefined; alsoOwn: readonly string[] },
  { ip }: Source,
): Promise<(tx: Transaction, caller: LockedCaller) => Promise<void>> {
  const { current_password: current } = form;
  const now = deps.clock.now();
  await checkNewPassword(deps, form.password, [principal.email, principal.full_name, ...form.alsoOwn]);
  requireVerified(principal);
  // Not sooner, since what is refused above is compared with no password. A current one may be a guess, also in a recovered session.
  await consumePasswordTry(deps, current === undefined ? tryKeyOf(principal, now) : principal.id);
  const before = await accountQueries.findById(deps.db, principal.id);
  if (!before) throw new NoSessionError("session_ended");
  const isConfirmed = current !== undefined && (await verifyPassword(before.password_hash, current));
  if (current !== undefined && !isConfirmed) {
    await auditWrongPassword(deps, before, ip);
    throw new ProductError("password_confirmation_wrong");
  }
  // First, or `password_same` would answer a guess.
  if (!isConfirmed && !isRecovered(principal, now)) refuseUnproven(before, principal, now);
  if (await verifyPassword(before.password_hash, form.password)) throw new ProductError("password_same");
  const passwordHash = await hashPassword(form.password);
  return async (tx, caller) => {
    // Of several changes at once that give the same current password, one is made.
    if (isConfirmed && caller.account.password_hash !== before.password_hash) {
      throw new ProductError("password_confirmation_wrong");
    }
    await writeChange(deps, tx, caller, { principal, passwordHash, isConfirmed, ip });
  };
}

/** Throws unless the session proves its owner without the current password; the admin's never does. */
function refuseUnproven({ role }: accountQueries.AccountRow, principal: Principal, now: Date): void {
  if (role === "admin") throw new ProductError("password_confirmation_wrong");
  requireProven(principal, now);
}

interface Change {
  principal: Principal;
  passwordHash: string;
  isConfirmed: boolean;
  ip: string;
}

async function writeChange(
  deps: Dependencies,
  tx: Transaction,
  { account, session }: LockedCaller,
  { principal, passwordHash, isConfirmed, ip }: Change,
): Promise<void> {
  const { id, email } = account;
  const { sessionId } = principal;
  const now = deps.clock.now();
  // Read again under the lock: another call of this session may have used the recovery up.
  const byRecovery = session.by_recovery && isRecovered(principal, now);
  if (!isConfirmed && !byRecovery) refuseUnproven(account, principal, now);
  await accountQueries.updatePassword(tx, id, passwordHash);
  await markUpdated(tx, id, now);
  await endSessions(tx, id, { except: sessionId }, now);
  await clearByRecovery(tx, sessionId);
  await deleteAllRecoveries(tx, id);
  // One of them may belong to whoever learned the old password.
  await forgetNetworks(tx, id);
  await rememberNetwork(deps, tx, account.id, ip);
  await recordAudit(
    tx,
    { id, email, ip },
    {
      at: now,
      action: "account.password-change",
      subject: { type: "account", id },
      details: { by: byRecovery ? "recovery" : "session" },
    },
  );
  await deps.outbox.enqueue(tx, passwordChangedMail(deps.config.site, email));
}
