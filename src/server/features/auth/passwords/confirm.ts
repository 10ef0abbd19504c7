import type { Dependencies } from "../../../dependencies.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { findById } from "../queries.ts";
import { verifyPassword } from "./hashing.ts";

/** Shared by all checks of the password of a signed-in account. */
export const passwordLimit: Limit = { name: "password-account", points: 10, seconds: 10 * 60 };

/**
 * Returns whether a password is the account's, for changes that a stolen session alone must not make. Throws `too_many_requests` or `unavailable`.
 */
export async function confirmPassword(deps: Dependencies, accountId: string, password: string): Promise<boolean> {
  await deps.limits.consume(passwordLimit, accountId);
  const account = await findById(deps.db, accountId);
  return verifyPassword(account?.password_hash, password);
}
