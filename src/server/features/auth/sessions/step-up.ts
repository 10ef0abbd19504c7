import type { StepUpProof } from "#domain/api/account";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import type { Actor } from "../../../platform/audit.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { provenSeconds, type Principal } from "../../../platform/http/access.ts";
import { confirmPassword } from "../passwords/confirm.ts";
import { lockById } from "../queries.ts";
import { consumeTry, spendCode } from "../second-factor/check-code.ts";
import { findVerifiedFactor } from "../second-factor/queries.ts";
import * as queries from "./queries.ts";

/**
 * Proves the caller's session for ten minutes and returns until when (STEPUP-1): by a code where the account has a second factor, else
 * by the password. Throws `second_factor_code_invalid`, `password_confirmation_wrong`, `invalid_input` without the proof that is
 * needed, `too_many_requests` or `unavailable`.
 */
export async function stepUp(
  deps: Dependencies,
  principal: Principal,
  proof: StepUpProof,
  ip: string,
): Promise<{ proven_until: string }> {
  if (principal.hasSecondFactor) await proveByCode(deps, principal, proof.totp, ip);
  else await proveByPassword(deps, principal, proof.current_password, ip);
  const now = deps.clock.now();
  await queries.markProven(deps.db, principal.sessionId, now);
  return { proven_until: secondsAfter(now, provenSeconds).toISOString() };
}

async function proveByPassword(deps: Dependencies, { id }: Principal, password: string | undefined, ip: string): Promise<void> {
  if (password === undefined) throw new ProductError("invalid_input");
  if (!(await confirmPassword(deps, id, password, ip))) throw new ProductError("password_confirmation_wrong");
}

async function proveByCode(deps: Dependencies, principal: Principal, code: string | undefined, ip: string): Promise<void> {
  if (code === undefined) throw new ProductError("invalid_input");
  const { id, email } = principal;
  const actor: Actor = { id, email, ip };
  await consumeTry(deps, id, ip);
  const by = await transaction(deps.db, async (tx) => {
    await lockById(tx, id);
    const factor = await findVerifiedFactor(tx, id);
    return factor && spendCode(deps, tx, { factor, actor, typed: code });
  });
  if (by === undefined) throw new ProductError("second_factor_code_invalid");
}
