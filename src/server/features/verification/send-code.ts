import { ProductError } from "#domain/errors/messages";
import { codeLifetimeSeconds, resendPauseSeconds, secondsUntilResend } from "#domain/accounts/verification";
import type { Dependencies } from "../../dependencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { limitKey } from "../auth/service.ts";
import { codeHash, newCode } from "./code-hash.ts";
import { alreadyRegisteredMail, codeMail } from "./mail.ts";
import * as queries from "./queries.ts";

/** Mails to one address, however often it signs up again: against floods, and against many codes to guess (VERIFY-6). */
const mailLimits: readonly Limit[] = [
  { name: "verification-mail-hour", points: 10, seconds: 3600, thenEverySeconds: 300 },
  { name: "verification-mail-day", points: 30, seconds: 24 * 3600, thenEverySeconds: 300 },
];

type PauseAfter = (tries: number) => number;

/**
 * Draws a new code, ends older ones and mails it to the caller's own address (VERIFY-1, VERIFY-4). `wanted` is the address that the
 * client names, if any; `pauseAfter` returns the seconds after a code with a number of used tries. Returns the seconds until another code may be sent. Where the address has a verified account, its owner is
 * mailed that instead, and the reply is the same (docs/decisions/004). Throws `not_allowed` for another address,
 * `email_already_verified`, `code_resend_too_soon`, `not_signed_in` or `too_many_requests`.
 */
export async function sendVerificationEmail(
  deps: Dependencies,
  principal: Pick<Principal, "id" | "email" | "email_verified">,
  wanted: string | undefined,
  // Stryker disable next-line ArrowFunction: undefined means the same pause.
  pauseAfter: PauseAfter = () => resendPauseSeconds,
): Promise<{ sent: true; resend_after: number }> {
  if (wanted !== undefined && wanted.trim().toLowerCase() !== principal.email) throw new ProductError("not_allowed");
  if (principal.email_verified) throw new ProductError("email_already_verified");
  const newest = await queries.findNewestCode(deps.db, principal.id);
  refuseWithinPause(deps, newest, pauseAfter);
  await countMail(deps, principal.email, newest === undefined);
  await transaction(deps.db, (tx) => writeCode(deps, tx, principal.id, pauseAfter));
  return { sent: true, resend_after: resendPauseSeconds };
}

/** Counts a mail to an address. The first code of a sign-up is mailed all the same, or a stranger could use up its owner's mails. */
async function countMail(deps: Dependencies, email: string, isFirst: boolean): Promise<void> {
  const key = limitKey(email);
  try {
    for (const limit of mailLimits) await deps.limits.consume(limit, key);
  } catch (error) {
    if (!isFirst || !(error instanceof ProductError)) throw error;
  }
}

async function writeCode(deps: Dependencies, tx: Transaction, userId: string, pauseAfter: PauseAfter): Promise<void> {
  const account = await queries.lockAccount(tx, userId);
  if (!account) throw new ProductError("not_signed_in");
  if (account.email_verified_at !== null) throw new ProductError("email_already_verified");
  // Checked again under the lock: of several requests at once, one sends.
  refuseWithinPause(deps, await queries.findNewestCode(tx, userId), pauseAfter);
  const now = deps.clock.now();
  const expiresAt = secondsAfter(now, codeLifetimeSeconds);
  const code = newCode();
  await queries.supersedeCodes(tx, userId);
  await queries.insertCode(tx, {
    user_id: userId,
    email: account.email,
    code_hash: codeHash(deps, userId, code),
    created_at: now,
    expires_at: expiresAt,
  });
  const { site } = deps.config;
  const hasVerifiedAccount = await queries.existsVerifiedAccount(tx, account.email);
  const mail = hasVerifiedAccount
    ? alreadyRegisteredMail({ site, to: account.email, userId, expiresAt })
    : codeMail({ site, to: account.email, userId, fullName: account.full_name, code, expiresAt });
  await deps.outbox.enqueue(tx, mail);
}

function refuseWithinPause(deps: Dependencies, newest: queries.CodeRow | undefined, pauseAfter: PauseAfter): void {
  const now = deps.clock.now().getTime();
  const wait = newest ? secondsUntilResend(newest.created_at.getTime(), now, pauseAfter(newest.tries)) : 0;
  if (wait > 0) throw new ProductError("code_resend_too_soon", { retryAfter: wait });
}
