import { createHash, createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { ProductError } from "#domain/messages";
import {
  codeLifetimeSeconds,
  firstCode,
  isCompleteCode,
  lastCode,
  maxTriesPerCode,
  resendPauseSeconds,
  secondsUntilResend,
} from "#domain/verification";
import type { Dependencies } from "../../dependencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { violatedConstraint, type Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import { alreadyRegisteredMail, codeMail } from "./mail.ts";
import * as queries from "./queries.ts";

/** Mails to one address, however often it is signed up anew: neither a flood for its owner nor many codes to guess at. */
const mailsPerHour = { name: "verification-mail-hour", points: 10, seconds: 3600 };
const mailsPerDay = { name: "verification-mail-day", points: 30, seconds: 24 * 3600 };

/**
 * Draws a new code, ends older ones and mails it to the caller's own address (VERIFY-1, VERIFY-4). `wanted` is the address that
 * the client names, if any. Answers the seconds until another may be sent. Where the address has a verified account, its owner is told
 * instead and the answer is the same (docs/decisions/004). Throws `not_allowed` for another address, `email_already_verified`,
 * `code_resend_too_soon` or `too_many_requests`.
 */
export async function sendVerificationEmail(
  deps: Dependencies,
  principal: Principal,
  wanted: string | undefined,
): Promise<{ sent: true; resend_after: number }> {
  if (wanted !== undefined && wanted.trim().toLowerCase() !== principal.email) throw new ProductError("not_allowed");
  if (principal.email_verified) throw new ProductError("email_already_verified");
  refuseWithinPause(deps, await queries.newestCode(deps.db, principal.id));
  const key = createHash("sha256").update(principal.email).digest("base64url");
  await deps.limits.consume(mailsPerHour, key);
  await deps.limits.consume(mailsPerDay, key);
  await transaction(deps.db, (tx) => writeCode(deps, tx, principal.id));
  return { sent: true, resend_after: resendPauseSeconds };
}

async function writeCode(deps: Dependencies, tx: Transaction, userId: string): Promise<void> {
  const account = await queries.lockAccount(tx, userId);
  if (!account) throw new ProductError("not_signed_in");
  if (account.email_verified_at !== null) throw new ProductError("email_already_verified");
  // Asked again under the lock: of several requests at once one sends.
  refuseWithinPause(deps, await queries.newestCode(tx, userId));
  const now = deps.clock.now();
  const code = String(randomInt(firstCode, lastCode + 1));
  await queries.supersedeCodes(tx, userId);
  await queries.insertCode(tx, {
    user_id: userId,
    email: account.email,
    code_hash: codeHash(deps, userId, code),
    created_at: now,
    expires_at: secondsAfter(now, codeLifetimeSeconds),
  });
  const { siteName } = deps.config;
  const isTaken = await queries.hasVerifiedAccount(tx, account.email);
  const mail = isTaken
    ? alreadyRegisteredMail(siteName, account.email)
    : codeMail({ siteName, to: account.email, fullName: account.full_name, code });
  await deps.outbox.enqueue(tx, mail);
}

function refuseWithinPause(deps: Dependencies, newest: queries.CodeRow | undefined): void {
  const wait = newest ? secondsUntilResend(newest.created_at.getTime(), deps.clock.now().getTime()) : 0;
  if (wait > 0) throw new ProductError("code_resend_too_soon", { retryAfter: wait });
}

/**
 * Matches a typed code: same user, live, not expired, at most five tries however many come at once (VERIFY-2). Then code and
 * account are verified together. Throws `email_already_verified`, `verification_code_incomplete` or `verification_code_invalid`.
 */
export async function verifyEmail(deps: Dependencies, principal: Principal, typed: string): Promise<{ verified: true }> {
  if (principal.email_verified) throw new ProductError("email_already_verified");
  const code = typed.trim();
  if (!isCompleteCode(code)) throw new ProductError("verification_code_incomplete");
  // The outcome is returned and not thrown, since a wrong try must be committed.
  const isMatch = await transaction(deps.db, (tx) => tryCode(deps, tx, principal.id, code));
  if (!isMatch) throw new ProductError("verification_code_invalid");
  return { verified: true };
}

async function tryCode(deps: Dependencies, tx: Transaction, userId: string, code: string): Promise<boolean> {
  const now = deps.clock.now();
  if (!(await queries.lockAccount(tx, userId))) return false;
  const live = await queries.liveCode(tx, userId);
  if (!live || live.expires_at <= now || live.tries >= maxTriesPerCode) return false;
  await queries.countTry(tx, live.id);
  if (!timingSafeEqual(live.code_hash, codeHash(deps, userId, code))) return false;
  return markVerified(tx, { userId, codeId: live.id, now });
}

/** In a savepoint, so that a try counts also where the address turns out to be taken. */
async function markVerified(tx: Transaction, match: { userId: string; codeId: string; now: Date }): Promise<boolean> {
  try {
    await transaction(tx, async (inner) => {
      await queries.markMatched(inner, match.codeId);
      await queries.markEmailVerified(inner, match.userId, match.now);
    });
    return true;
  } catch (error) {
    if (violatedConstraint(error) === "accounts_verified_email") return false;
    throw error;
  }
}

/** Keyed, since a million codes are soon hashed; with the user's id, so that one user's code is nothing to another. */
function codeHash(deps: Dependencies, userId: string, code: string): Buffer {
  return createHmac("sha256", deps.secrets.codePepper).update(`${userId}:${code}`).digest();
}
