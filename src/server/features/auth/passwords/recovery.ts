import { setTimeout as pause } from "node:timers/promises";
import { normaliseEmail } from "#domain/accounts/accounts";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { isRecent, secondsAfter } from "../../../platform/clock.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Principal } from "../../../platform/http/access.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { auditAdminSignIn } from "../admin/accepted-sign-in.ts";
import { limitAttempt, type AttemptLimits, type Source } from "../limits/attempts.ts";
import { findByEmailFrom, rememberNetwork } from "../limits/familiar-networks.ts";
import { networkOf } from "../limits/keys.ts";
import { deleteEmailChange } from "../profile/queries.ts";
import { findByEmail, lockById } from "../queries.ts";
import { openSession, startSession, type OpenSession } from "../sessions/start.ts";
import { randomToken, tokenHash } from "../sessions/tokens.ts";
import { recoveryMail } from "./mail.ts";
import * as queries from "./queries.ts";

/** Mails are counted for each network, so that one stranger cannot take the owner's; the last bounds a flood from many (ACCOUNT-9). */
const recoverLimits: AttemptLimits = {
  perNetwork: { name: "recover-network", points: 30, seconds: 3600, thenEverySeconds: 120 },
  perPlace: { name: "recover-here", points: 5, seconds: 3600, thenEverySeconds: 600 },
  perDevices: { name: "recover-devices", points: 20, seconds: 3600, thenEverySeconds: 300 },
  perStrangers: { name: "recover-address", points: 20, seconds: 3600, thenEverySeconds: 300 },
};
const redeemLimit: Limit = { name: "redeem-network", points: 60, seconds: 3600, thenEverySeconds: 60 };

/** Seconds a recovery link is valid (ACCOUNT-5). */
export const recoverySeconds = 3600;

/** Returns whether the session came from a recovery link that was opened in the last hour: it proves itself by that (ACCOUNT-6). */
export function isRecovered({ byRecovery, startedAt }: Principal, now: Date): boolean {
  return byRecovery && isRecent(startedAt, recoverySeconds, now);
}

/**
 * Returns by whom tries of a change of the account are counted: the account, but a recovered session by itself, so that nobody with
 * another session of the account uses up the tries of a reset (ACCOUNT-9).
 */
export function tryKeyOf(principal: Principal, now: Date): string {
  return isRecovered(principal, now) ? principal.sessionId : principal.id;
}

/** Milliseconds that every request takes at least, longer than writing a mail, so that the time does not show what was done. */
export const replyAfterMs = 250;

/**
 * Mails a recovery link when the address has a verified account; the caller cannot see whether it has (ACCOUNT-3). `from.origin` is
 * where the link leads to, or undefined when the request's own origin is not trusted; `from.next` is the page after the new password.
 * Throws `email_invalid` or `too_many_requests`.
 */
export async function requestRecovery(
  deps: Dependencies,
  typed: string,
  from: Source & { origin: string | undefined; next: string | undefined },
): Promise<void> {
  const email = normaliseEmail(typed);
  const found = await findByEmailFrom(deps, email, from.ip);
  await limitAttempt(deps, recoverLimits, { email, found }, from);
  await Promise.all([mailLink(deps, email, from), pause(replyAfterMs)]);
}

function mailLink(
  deps: Dependencies,
  email: string,
  { origin, next }: { origin: string | undefined; next: string | undefined },
): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const { verified } = await findByEmail(tx, email);
    // Read again under the lock: a link to a former address must not outlive the change of it (OWN-3).
    const account = verified && (await lockById(tx, verified.id));
    if (account?.email !== email) return;
    const token = randomToken();
    const now = deps.clock.now();
    const expiresAt = secondsAfter(now, recoverySeconds);
    await queries.deleteExpiredRecoveries(tx, account.id, now);
    await queries.insertRecovery(tx, {
      token_hash: tokenHash(token),
      account_id: account.id,
      created_at: now,
      expires_at: expiresAt,
    });
    const mail = recoveryMail({ site: deps.config.site, to: email, token, origin, next });
    await deps.outbox.enqueue(tx, { ...mail, expiresAt });
  });
}

/**
 * Returns a new session for the token of a recovery link, once; a new password can be set in it. Throws `recovery_link_invalid` or
 * `too_many_requests`.
 */
export async function redeemRecovery(deps: Dependencies, token: string, from: Source): Promise<OpenSession> {
  await deps.limits.consume(redeemLimit, networkOf(from.ip));
  const started = await transaction(deps.db, async (tx) => {
    const hash = tokenHash(token);
    const accountId = await queries.findRecoveryAccountId(tx, hash);
    // Stryker disable next-line ConditionFalse: a token of nobody is not marked either.
    if (accountId === undefined) return undefined;
    // Before its links, as a change of the password does; those of a deleted account are gone.
    await lockById(tx, accountId);
    if (!(await queries.markRecoveryUsed(tx, hash, deps.clock.now()))) return undefined;
    // Stryker disable next-line BooleanLiteral: the name alone counts.
    const session = await startSession(deps, tx, accountId, { byRecovery: true }, from);
    // Stryker disable next-line ConditionTrue: the account is locked, so that it has one.
    if (session) {
      // The owner has access again; a change of address that somebody else began must not take it away (OWN-3).
      await deleteEmailChange(tx, accountId);
      await rememberNetwork(deps, tx, accountId, from.ip);
      await auditAdminSignIn(deps, tx, session.account, { by: "recovery", ip: from.ip });
    }
    return session;
  });
  if (!started) throw new ProductError("recovery_link_invalid");
  return openSession(deps, started);
}
