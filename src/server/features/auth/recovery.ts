import { setTimeout as pause } from "node:timers/promises";
import { normaliseEmail } from "#domain/accounts";
import { ProductError } from "#domain/messages";
import type { Dependencies } from "../../dependencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { limitKey, limits, networkOf } from "./limits.ts";
import { recoveryMail } from "./mail.ts";
import * as queries from "./queries.ts";
import { openSession, startSession, type OpenSession } from "./sessions.ts";
import { auditAdminSignIn } from "./sign-in.ts";
import { randomToken, tokenHash } from "./tokens.ts";
import { transaction } from "../../platform/db/transaction.ts";

/** Seconds a recovery link holds. */
export const recoverySeconds = 3600;

/** Milliseconds after which a request is answered, longer than writing a mail takes: the time must not tell what was done. */
const answerAfterMs = 250;

/**
 * Mails a recovery link when the address has a verified account, and answers the same when not (ACCOUNT-3). `origin` is the
 * site's, or undefined when nobody trustworthy said it. Throws `email_invalid` or `too_many_requests`.
 */
export async function requestRecovery(
  deps: Dependencies,
  typed: string,
  from: { ip: string; origin: string | undefined },
): Promise<void> {
  const email = normaliseEmail(typed);
  await deps.limits.consume(limits.recoverPerNetwork, networkOf(from.ip));
  await deps.limits.consume(limits.recoverPerAddress, limitKey(email));
  await Promise.all([mailLink(deps, email, from.origin), pause(answerAfterMs)]);
}

function mailLink(deps: Dependencies, email: string, origin: string | undefined): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const { verified } = await queries.findByEmail(tx, email);
    if (!verified) return;
    const token = randomToken();
    const now = deps.clock.now();
    await queries.deleteExpiredRecoveries(tx, verified.id, now);
    await queries.insertRecovery(tx, {
      token_hash: tokenHash(token),
      account_id: verified.id,
      created_at: now,
      expires_at: secondsAfter(now, recoverySeconds),
    });
    await deps.outbox.enqueue(tx, recoveryMail({ siteName: deps.config.siteName, to: email, token, origin }));
  });
}

/**
 * Opens a session by a recovery link's token, once, in which a new password can be set. Throws `recovery_link_invalid` or
 * `too_many_requests`.
 */
export async function redeemRecovery(deps: Dependencies, token: string, ip: string): Promise<OpenSession> {
  await deps.limits.consume(limits.redeemPerNetwork, networkOf(ip));
  const started = await transaction(deps.db, async (tx) => {
    const hash = tokenHash(token);
    const accountId = await queries.findRecoveryOwner(tx, hash);
    // The account is locked first, as everywhere, so that nothing waits in a circle.
    if (accountId === undefined || !(await queries.lockAccount(tx, accountId))) return undefined;
    if (!(await queries.useRecovery(tx, hash, deps.clock.now()))) return undefined;
    const begun = await startSession(deps, tx, accountId, { byRecovery: true });
    if (begun) await auditAdminSignIn(deps, tx, begun.account, "recovery", ip);
    return begun;
  });
  if (!started) throw new ProductError("recovery_link_invalid");
  return openSession(deps, started);
}
