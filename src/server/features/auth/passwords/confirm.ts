import type { Dependencies } from "../../../dependencies.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { auditWrongPassword } from "../admin/refused-sign-in.ts";
import { findById } from "../queries.ts";
import { verifyPassword } from "./hashing.ts";

/** A stolen session must not find the password in a few days either. */
const limits: readonly Limit[] = [
  { name: "password-account", points: 10, seconds: 10 * 60 },
  { name: "password-account-day", points: 50, seconds: 24 * 3600, thenEverySeconds: 600 },
];

/** Counts a comparison with the password of a signed-in account (ACCOUNT-9), by `key`. Throws `too_many_requests`. */
export async function consumePasswordTry(deps: Dependencies, key: string): Promise<void> {
  for (const limit of limits) await deps.limits.consume(limit, key);
}

/**
 * Returns whether a password is the account's, for changes that a stolen session alone must not make. A wrong one of the admin is audited
 * (AUDIT-3). Throws `too_many_requests` or `unavailable`.
 */
export async function confirmPassword(deps: Dependencies, accountId: string, password: string, ip: string): Promise<boolean> {
  await consumePasswordTry(deps, accountId);
  const account = await findById(deps.db, accountId);
  const isRight = await verifyPassword(account?.password_hash, password);
  if (!isRight) await auditWrongPassword(deps, account, ip);
  return isRight;
}
