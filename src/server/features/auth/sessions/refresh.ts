import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { isRecent } from "../../../platform/clock.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { oldestStart } from "../../../platform/db/session-lifetime.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { networkOf } from "../limits/keys.ts";
import { lockById } from "../queries.ts";
import { endSessions } from "./end.ts";
import * as queries from "./queries.ts";
import { openSession, storedClient, type Client, type OpenSession, type StartedSession } from "./start.ts";
import { randomToken, tokenHash } from "./tokens.ts";

const networkLimit: Limit = { name: "refresh-network", points: 3000, seconds: 10 * 60 };

/** Seconds in which a used refresh token is accepted again: a reply was lost, or two tabs refreshed at once (SESSION-3). */
const reuseGraceSeconds = 10;

/**
 * Exchanges a refresh token for a new pair of tokens. A second use within the grace period returns another valid pair; a later one
 * means that somebody has a copy, and ends the whole session (SESSION-3; RFC 9700, section 4.14.2). A token from before the code of the
 * second factor is refused (FACTOR-2). Throws `refresh_token_invalid` or `too_many_requests`.
 */
export async function refreshSession(deps: Dependencies, token: string, client: Client): Promise<OpenSession> {
  await deps.limits.consume(networkLimit, networkOf(client.ip));
  // The outcome is returned and not thrown, since ending the session must be committed.
  const rotated = await transaction(deps.db, (tx) => rotate(deps, tx, tokenHash(token), client));
  if (!rotated) throw new ProductError("refresh_token_invalid");
  return openSession(deps, rotated);
}

async function rotate(deps: Dependencies, tx: Transaction, hash: Buffer, client: Client): Promise<StartedSession | undefined> {
  const now = deps.clock.now();
  const owner = await queries.findTokenOwner(tx, hash);
  const account = owner && (await lockById(tx, owner.accountId));
  const session = account && (await queries.lockOpenSession(tx, owner.sessionId, oldestStart(now)));
  const token = session && (await queries.lockRefreshToken(tx, hash));
  if (!token) return undefined;
  if (token.used_at !== null && !isRecent(token.used_at, reuseGraceSeconds, now)) {
    await endSessions(tx, account.id, { only: session.id }, now);
    return undefined;
  }
  if (isFromBeforeCode(token, session)) return undefined;
  if (token.used_at === null) await queries.markTokenUsed(tx, hash, now);
  await queries.updateLastSeen(tx, session.id, { at: now, ...storedClient(client) });
  return {
    sessionId: session.id,
    refreshToken: await addRefreshToken(tx, session.id, now),
    account,
    hasDetails: true,
    proof: session,
  };
}

/** Ends the refresh tokens that a session has, which did not pass the second factor: from now on `isFromBeforeCode` holds for each. */
export function endTokensFromBeforeCode(tx: Transaction, sessionId: string, codeAt: Date): Promise<void> {
  return queries.markAllTokensUsed(tx, sessionId, new Date(codeAt.getTime() - 1));
}

/** Whether a token was used up by the code of the second factor. Times of creation could be equal to that of the token that follows. */
function isFromBeforeCode({ used_at }: queries.LockedToken, { second_factor_at }: queries.LockedSession): boolean {
  return used_at !== null && used_at < (second_factor_at ?? used_at);
}

/** Adds a refresh token to a session and returns it. */
export async function addRefreshToken(tx: Transaction, sessionId: string, now: Date): Promise<string> {
  const token = randomToken();
  await queries.insertRefreshToken(tx, { token_hash: tokenHash(token), session_id: sessionId, created_at: now });
  return token;
}
