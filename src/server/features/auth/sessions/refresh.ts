import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { oldestStart } from "../../../platform/db/live-sessions.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { networkOf } from "../limits/keys.ts";
import { findById } from "../queries.ts";
import * as queries from "./queries.ts";
import { openSession, storedClient, type Client, type OpenSession, type StartedSession } from "./start.ts";
import { randomToken, tokenHash } from "./tokens.ts";

const networkLimit: Limit = { name: "refresh-network", points: 3000, seconds: 10 * 60 };

/** Seconds in which a used refresh token is accepted again: a reply was lost, or two tabs refreshed at once (SESSION-3). */
export const reuseGraceSeconds = 10;

/**
 * Exchanges a refresh token for a new pair of tokens. A second use within the grace period returns another valid pair; a later one
 * means that somebody has a copy, and ends the whole session (SESSION-3; RFC 9700, section 4.14.2). Throws `refresh_token_invalid` or
 * `too_many_requests`.
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
  const found = await queries.lockRefreshToken(tx, hash);
  if (!found || found.session.revoked_at !== null || found.session.created_at <= oldestStart(now)) return undefined;
  const { token, session } = found;
  if (token.used_at !== null && now > secondsAfter(token.used_at, reuseGraceSeconds)) {
    await queries.revokeSessions(tx, session.account_id, { only: session.id }, now);
    return undefined;
  }
  if (token.used_at === null) await queries.markTokenUsed(tx, hash, now);
  const account = await findById(tx, session.account_id);
  if (!account) return undefined;
  await queries.updateLastSeen(tx, session.id, { at: now, ...storedClient(client) });
  return { sessionId: session.id, refreshToken: await addRefreshToken(tx, session.id, now), account, proof: session };
}

/** Adds a refresh token to a session and returns it. */
export async function addRefreshToken(tx: Transaction, sessionId: string, now: Date): Promise<string> {
  const token = randomToken();
  await queries.insertRefreshToken(tx, { token_hash: tokenHash(token), session_id: sessionId, created_at: now });
  return token;
}
