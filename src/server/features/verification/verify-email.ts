import { timingSafeEqual } from "node:crypto";
import { ProductError } from "#domain/errors/messages";
import { isCompleteCode, maxTriesPerCode } from "#domain/accounts/verification";
import type { Dependencies } from "../../dependencies.ts";
import { isAhead } from "../../platform/clock.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import { deleteUnfinishedSignUps, lockAddress, unlessVerifiedElsewhere } from "../auth/service.ts";
import { codeHash } from "./code-hash.ts";
import * as queries from "./queries.ts";

/**
 * Verifies the caller's e-mail by a typed code, which must be the newest, neither expired nor of a clock that was ahead, and tried at most
 * five times, however many tries come at once (VERIFY-2). Throws `email_already_verified`, `verification_code_incomplete` or `verification_code_invalid`.
 */
export async function verifyEmail(deps: Dependencies, principal: Principal, typed: string): Promise<{ verified: true }> {
  if (principal.email_verified) throw new ProductError("email_already_verified");
  const code = typed.trim();
  if (!isCompleteCode(code)) throw new ProductError("verification_code_incomplete");
  // The outcome is returned and not thrown, since a wrong try must be committed.
  const isMatch = await transaction(deps.db, (tx) => tryCode(deps, tx, principal, code));
  if (!isMatch) throw new ProductError("verification_code_invalid");
  return { verified: true };
}

async function tryCode(deps: Dependencies, tx: Transaction, principal: Principal, code: string): Promise<boolean> {
  const { id: userId, email } = principal;
  const now = deps.clock.now();
  await lockAddress(tx, email);
  if (!(await queries.lockAccount(tx, userId))) return false;
  const live = await queries.findLiveCode(tx, userId);
  if (!live || live.expires_at <= now || isAhead(live.created_at, now) || live.tries >= maxTriesPerCode) return false;
  await queries.incrementTries(tx, live.id);
  if (!timingSafeEqual(live.code_hash, codeHash(deps, userId, code))) return false;
  return unlessVerifiedElsewhere(tx, async (inner) => {
    await queries.markCodeVerified(inner, live.id);
    await queries.markEmailVerified(inner, userId, now);
    // After the account is verified, or it would delete this account too.
    await deleteUnfinishedSignUps(inner, email);
  });
}
