import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { requireSecondFactor, type Authenticate, type Principal } from "../../../platform/http/access.ts";
import { oldestStart } from "../../../platform/db/session-lifetime.ts";
import * as queries from "./queries.ts";
import type { LinkViewer } from "../../../platform/storage/downloads/signed-links.ts";
import { accessTokenReader, type VerifiedToken } from "./tokens.ts";

/** Why nobody is signed in: no token, one that we did not sign or that has expired, or one whose session has ended. */
export type NoSessionReason = "no_token" | "bad_token" | "session_ended";

/** `not_signed_in` with its reason, for which the auth protocol has different codes. */
export class NoSessionError extends ProductError {
  readonly reason: NoSessionReason;

  constructor(reason: NoSessionReason) {
    super("not_signed_in");
    this.reason = reason;
  }
}

/**
 * Returns the function that authenticates every request: it checks the token's signature and age, then reads session and account in
 * one query, so that logout, deletion and a changed tier act at once (SESSION-2). The admin is the account whose
 * e-mail is `ADMIN_EMAIL`, also while a process with another setting still runs (ACCESS-2). The function throws `not_signed_in` and
 * `second_factor_needed` (FACTOR-2).
 */
export function authenticator(deps: Dependencies): Authenticate {
  const readToken = accessTokenReader(deps);
  const principalOf = principalReader(deps);

  return async (authorization, route) => {
    // Stryker disable next-line StringLiteral: any other text is no token.
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) throw new NoSessionError(authorization === undefined ? "no_token" : "bad_token");
    const verified = await readToken(token);
    if (!verified) throw new NoSessionError("bad_token");
    const principal = await principalOf(verified);
    if (!principal) throw new NoSessionError("session_ended");
    if (!route?.opensBeforeSecondFactor) requireSecondFactor(principal);
    return principal;
  };
}

/**
 * Returns the function that finds who made a link, in a session that has passed the second factor if there is one. It throws `link_invalid`
 * when that session has ended (FILE-10), and `second_factor_needed`.
 */
export function linkAuthenticator(deps: Dependencies): (viewer: LinkViewer) => Promise<Principal> {
  const principalOf = principalReader(deps);
  return async ({ id, sessionId }) => {
    const principal = await principalOf({ accountId: id, sessionId, issuedAt: Infinity, passedSecondFactor: true });
    if (!principal) throw new ProductError("link_invalid");
    requireSecondFactor(principal);
    return principal;
  };
}

/** Returns the function that reads an open session with its account as they are now; it returns undefined once the session has ended. */
function principalReader(deps: Dependencies) {
  return async (claims: VerifiedToken): Promise<Principal | undefined> => {
    const { accountId, sessionId } = claims;
    const startedAfter = oldestStart(deps.clock.now()).toISOString();
    const found = await queries.findPrincipal(deps.db, { accountId, sessionId, startedAfter });
    if (!found) return undefined;
    const isAdmin = found.role === "admin" && found.email === deps.config.admin.email;
    const { secondFactorAt, secondFactorBy, ...account } = found;
    if (!found.hasSecondFactor && isFromBeforeCode(claims, secondFactorAt, deps.clock.now())) return undefined;
    return {
      ...account,
      role: isAdmin ? "admin" : "student",
      sessionId,
      // Both must have passed: while the factor is on, a token from before the code grants nothing, nor does one from a former factor.
      passedSecondFactor: claims.passedSecondFactor && secondFactorBy !== null,
    };
  };
}

/** Whether a token was issued in a second before that of the code which its session has passed (SESSION-3), by a clock that was not set back since. */
function isFromBeforeCode({ issuedAt, passedSecondFactor }: VerifiedToken, codeAt: Date | null, now: Date): boolean {
  return !passedSecondFactor && codeAt !== null && codeAt <= now && issuedAt < Math.floor(codeAt.getTime() / 1000);
}
