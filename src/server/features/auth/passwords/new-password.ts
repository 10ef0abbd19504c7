import { maxPasswordLength, passwordLength, weakPasswordReasons, type WeakReason } from "#domain/accounts/accounts";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";

/** A refused password with its reasons, in the words of the auth protocol. */
export class WeakPasswordError extends ProductError {
  readonly reasons: readonly WeakReason[];

  constructor(reasons: readonly WeakReason[]) {
    super("password_weak");
    this.reasons = reasons;
  }
}

/**
 * Throws `password_too_long`, or `password_weak` for a password that is too short, too uniform or easy to guess, also by anyone who has
 * its owner's `own` names and addresses and the site's name (ACCOUNT-4). Throws `unavailable` when it cannot be found out in time.
 */
export async function checkNewPassword(
  deps: Pick<Dependencies, "config" | "passwords">,
  password: string,
  own: readonly string[],
): Promise<void> {
  if (passwordLength(password) > maxPasswordLength) throw new ProductError("password_too_long");
  const reasons = weakPasswordReasons(password);
  if (reasons.length > 0) throw new WeakPasswordError(reasons);
  const words = [...own, deps.config.site.name].flatMap(wordsOf);
  if (await deps.passwords.isGuessable(password, words)) throw new WeakPasswordError(["pwned"]);
}

/** Returns a name or address, its parts and its words; one or two letters are in too many passwords to count. */
function wordsOf(text: string): string[] {
  const parts = [text, text.replace(/\s/g, ""), ...text.split(/[\s@]+/), ...text.split(/[\s@.+_-]+/)];
  return parts.filter((part) => part.length > 2);
}
