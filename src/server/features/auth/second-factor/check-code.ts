import type { Dependencies } from "../../../dependencies.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { SecondFactorKind } from "../../../platform/db/schema.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { unseal } from "../../../platform/sealing.ts";
import { recordAudit, type Actor } from "../../../platform/audit.ts";
import { limitKey, networkOf } from "../limits/keys.ts";
import { recoveryCodeUsedMail } from "./mail.ts";
import * as queries from "./queries.ts";
import { recoveryCodeHash } from "./recovery-codes.ts";
import { matchingStep } from "./totp.ts";

/**
 * Whoever guesses codes has the password already. Unfamiliar networks share one limit, since many of them together could guess one
 * code of a million; the owner's network has separate limits that strangers cannot use up. A thief may be in it too, so there is a limit a day.
 */
const tryLimits = {
  perOwnNetwork: [
    { name: "second-factor-own", points: 10, seconds: 10 * 60 },
    { name: "second-factor-own-day", points: 50, seconds: 24 * 3600, thenEverySeconds: 600 },
  ],
  strangeNetworks: [{ name: "second-factor-strange", points: 20, seconds: 3600 }],
} satisfies Record<string, readonly Limit[]>;

/** Counts a try of an account's second factor (FACTOR-3). Throws `too_many_requests`. */
export async function consumeTry(deps: Dependencies, accountId: string, ip: string): Promise<void> {
  const network = networkOf(ip);
  const isOwn = await queries.hasPassedFrom(deps.db, accountId, network);
  const [limits, key] = isOwn
    ? [tryLimits.perOwnNetwork, limitKey(accountId, network)]
    : [tryLimits.strangeNetworks, limitKey(accountId)];
  for (const limit of limits) await deps.limits.consume(limit, key);
}

/**
 * Returns how a typed code passes a factor, and uses it up: the app's (FACTOR-3), else a recovery code (FACTOR-4), of which the owner
 * is notified. Returns undefined for a wrong one. An unverified factor takes the app's alone.
 */
export async function spendCode(
  deps: Dependencies,
  tx: Transaction,
  attempt: { factor: queries.FactorRow; actor: Actor; typed: string },
): Promise<SecondFactorKind | undefined> {
  const { factor, actor } = attempt;
  const now = deps.clock.now();
  const typed = attempt.typed.replace(/\s/g, "");
  const secret = unseal(deps.secrets.factorKey, factor.account_id, factor.sealed_secret);
  const step = matchingStep(secret, typed, now);
  if (step !== undefined) return (await queries.markStepUsed(tx, factor.id, step)) ? "totp" : undefined;
  if (factor.verified_at === null) return undefined;
  const hash = recoveryCodeHash(deps.secrets, factor.id, typed);
  if (!(await queries.markRecoveryCodeUsed(tx, factor.id, hash, now))) return undefined;
  const left = await queries.countUnusedRecoveryCodes(tx, factor.id);
  await recordAudit(tx, actor, {
    at: now,
    action: "account.recovery-code-use",
    subject: { type: "account", id: factor.account_id },
    details: { left },
  });
  await deps.outbox.enqueue(tx, recoveryCodeUsedMail(deps.config.site, actor.email, left));
  return "recovery_code";
}
