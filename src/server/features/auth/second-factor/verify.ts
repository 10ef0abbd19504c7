import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit, type Actor } from "../../../platform/audit.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Principal } from "../../../platform/http/access.ts";
import { auditAdminSignIn } from "../admin/accepted-sign-in.ts";
import { networkOf } from "../limits/keys.ts";
import { endSessions } from "../sessions/end.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import { addRefreshToken, endTokensFromBeforeCode } from "../sessions/refresh.ts";
import { openSession, type OpenSession, type StartedSession } from "../sessions/start.ts";
import { consumeTry, spendCode } from "./check-code.ts";
import { oldestEnrolment } from "./enrolments.ts";
import { factorAddedMail } from "./mail.ts";
import * as queries from "./queries.ts";

/** Lifetime in seconds and number of tries of a challenge (FACTOR-3). */
const challengeSeconds = 5 * 60;
const maxTriesPerChallenge = 5;

/** Networks that are remembered of one factor: home, work, a phone that changes its network. */
const maxNetworks = 20;

/** Returns the time before which challenges have ended. */
export function oldestChallenge(now: Date): Date {
  return secondsAfter(now, -challengeSeconds);
}

/** Returns a challenge of a factor for the caller's session, in place of an earlier one. Throws `second_factor_not_found` or `not_signed_in`. */
export function challengeFactor(
  deps: Dependencies,
  principal: Principal,
  factorId: string,
): Promise<{ id: string; expiresAt: Date }> {
  const now = deps.clock.now();
  return transaction(deps.db, async (tx) => {
    await lockCaller(deps, tx, principal);
    const which = { accountId: principal.id, factorId, enrolledAfter: oldestEnrolment(now) };
    if (!(await queries.findFactor(tx, which))) throw new ProductError("second_factor_not_found");
    const row = { factor_id: factorId, session_id: principal.sessionId, created_at: now };
    return { id: await queries.replaceChallenge(tx, row), expiresAt: secondsAfter(now, challengeSeconds) };
  });
}

interface Attempt {
  factorId: string;
  challengeId: string;
  /** The app's code, or a recovery code. */
  code: string;
}

/**
 * Returns the caller's session with new tokens, which have passed the second factor, for a right code. The first right code of a new
 * factor turns it on: all other sessions end, and the owner is notified (FACTOR-2). Throws `second_factor_not_found`,
 * `second_factor_challenge_expired`, `second_factor_code_invalid`, `too_many_requests` or `not_signed_in`.
 */
export async function verifyFactor(
  deps: Dependencies,
  principal: Principal,
  attempt: Attempt,
  ip: string,
): Promise<OpenSession> {
  await consumeTry(deps, principal.id, ip);
  const actor = { id: principal.id, email: principal.email, ip };
  // The outcome is returned and not thrown, since a wrong try must be committed.
  const started = await transaction(deps.db, (tx) => tryCode(deps, tx, { ...attempt, principal, actor }));
  if (!started) throw new ProductError("second_factor_code_invalid");
  return openSession(deps, started);
}

async function tryCode(
  deps: Dependencies,
  tx: Transaction,
  attempt: Attempt & { principal: Principal; actor: Actor },
): Promise<StartedSession | undefined> {
  const { principal, factorId, actor } = attempt;
  const { id: accountId, sessionId } = principal;
  const now = deps.clock.now();
  const { account, session } = await lockCaller(deps, tx, principal);
  const factor = await queries.findFactor(tx, { accountId, factorId, enrolledAfter: oldestEnrolment(now) });
  if (!factor) throw new ProductError("second_factor_not_found");
  const challenge = { id: attempt.challengeId, factorId, sessionId, madeAfter: oldestChallenge(now) };
  if (!(await queries.countTry(tx, { ...challenge, maxTries: maxTriesPerChallenge }))) {
    throw new ProductError("second_factor_challenge_expired");
  }
  const by = await spendCode(deps, tx, { factor, actor, typed: attempt.code });
  if (by === undefined) return undefined;
  await queries.deleteChallenge(tx, attempt.challengeId);
  if (factor.verified_at === null) await turnOn(deps, tx, { factorId, sessionId, actor, accountId });
  else if (session.second_factor_at === null) {
    const begunBy = session.by_recovery ? "recovery" : "password";
    await auditAdminSignIn(deps, tx, account, { by: begunBy, ip: actor.ip, hasGivenCode: true });
  }
  await queries.markSecondFactorPassed(tx, sessionId, { by, at: now });
  await queries.rememberPassedFrom(tx, factorId, networkOf(actor.ip), maxNetworks);
  await endTokensFromBeforeCode(tx, sessionId, now);
  const refreshToken = await addRefreshToken(tx, sessionId, now);
  return {
    sessionId,
    refreshToken,
    account,
    hasDetails: true,
    proof: { ...session, second_factor_at: now, second_factor_by: by },
  };
}

async function turnOn(
  deps: Dependencies,
  tx: Transaction,
  { factorId, sessionId, accountId, actor }: { factorId: string; sessionId: string; accountId: string; actor: Actor },
): Promise<void> {
  const now = deps.clock.now();
  await queries.markFactorVerified(tx, factorId, now);
  await endSessions(tx, accountId, { except: sessionId }, now);
  await recordAudit(tx, actor, {
    at: now,
    action: "account.second-factor-on",
    subject: { type: "account", id: accountId },
    details: { before: "off", after: "on" },
  });
  await deps.outbox.enqueue(tx, factorAddedMail(deps.config.site, actor.email));
}
