import { randomUUID } from "node:crypto";
import type { LogoutScope } from "#domain/api/auth";
import { ProductError } from "#domain/messages";
import type { Dependencies } from "../../dependencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import { limits, networkOf } from "./limits.ts";
import * as queries from "./queries.ts";
import * as sessionQueries from "./session-queries.ts";
import { randomToken, signAccessToken, tokenHash, type AccessToken } from "./tokens.ts";

/** Seconds after which a session ends however often it was renewed: 30 days. */
export const sessionSeconds = 30 * 24 * 3600;

/** Seconds in which a refresh token may be used again: an answer was lost, or two tabs were one too many (SESSION-3). */
export const reuseGraceSeconds = 10;

/** A session as its owner receives it. */
export interface OpenSession extends AccessToken {
  refresh_token: string;
  account: queries.AccountRow;
}

/** What a transaction has written of a session; `openSession` signs it once the transaction stands. */
export interface StartedSession {
  sessionId: string;
  refreshToken: string;
  account: queries.AccountRow;
}

/** Sessions that began before this moment have ended. */
export function oldestStart(now: Date): Date {
  return secondsAfter(now, -sessionSeconds);
}

/**
 * Writes a new session of an account, also in a caller's transaction. `expectedHash` is the password's hash that was verified:
 * when it is no longer the account's, or the account is gone, answers undefined and starts nothing.
 */
export async function startSession(
  deps: Dependencies,
  connection: Connection,
  accountId: string,
  how: { expectedHash: string } | { byRecovery: true },
): Promise<StartedSession | undefined> {
  const now = deps.clock.now();
  const sessionId = randomUUID();
  const refreshToken = randomToken();
  const account = await sessionQueries.startSession(connection, {
    accountId,
    expectedHash: "expectedHash" in how ? how.expectedHash : undefined,
    sessionId,
    tokenHash: tokenHash(refreshToken),
    byRecovery: "byRecovery" in how,
    now,
    oldestStart: oldestStart(now),
  });
  return account && { sessionId, refreshToken, account };
}

/** Signs the access token of a session that was written. */
export async function openSession(deps: Dependencies, started: StartedSession): Promise<OpenSession> {
  const { account, sessionId, refreshToken } = started;
  const token = await signAccessToken(deps, { accountId: account.id, sessionId, email: account.email });
  return { ...token, refresh_token: refreshToken, account };
}

/**
 * Exchanges a refresh token for a new pair. A second use within the grace gives another valid pair; a later one means that
 * somebody has a copy, and ends the whole session (SESSION-3; RFC 9700, section 4.14.2). Throws `refresh_token_invalid`.
 */
export async function refreshSession(deps: Dependencies, token: string, ip: string): Promise<OpenSession> {
  await deps.limits.consume(limits.refreshPerNetwork, networkOf(ip));
  // The outcome is returned and not thrown, since ending the session must be committed.
  const rotated = await transaction(deps.db, (tx) => rotate(deps, tx, tokenHash(token)));
  if (!rotated) throw new ProductError("refresh_token_invalid");
  return openSession(deps, rotated);
}

async function rotate(deps: Dependencies, tx: Transaction, hash: Buffer): Promise<StartedSession | undefined> {
  const now = deps.clock.now();
  const found = await sessionQueries.lockRefreshToken(tx, hash);
  if (!found || found.session.revoked_at !== null || found.session.created_at <= oldestStart(now)) return undefined;
  const { token, session } = found;
  if (token.used_at !== null && now > secondsAfter(token.used_at, reuseGraceSeconds)) {
    await sessionQueries.revokeSessions(tx, session.account_id, { only: session.id }, now);
    return undefined;
  }
  if (token.used_at === null) await sessionQueries.markTokenUsed(tx, hash, now);
  const account = await queries.findAccount(tx, session.account_id);
  if (!account) return undefined;
  return { sessionId: session.id, refreshToken: await addRefreshToken(tx, session.id, now), account };
}

async function addRefreshToken(tx: Transaction, sessionId: string, now: Date): Promise<string> {
  const token = randomToken();
  await sessionQueries.insertRefreshToken(tx, { token_hash: tokenHash(token), session_id: sessionId, created_at: now });
  return token;
}

/** Ends the caller's session, all of the caller's sessions, or all others; their streams close by the trigger. */
export async function signOut(deps: Dependencies, principal: Principal, scope: LogoutScope): Promise<void> {
  const choices = {
    local: { only: principal.sessionId },
    others: { except: principal.sessionId },
    global: "all",
  } as const satisfies Record<LogoutScope, sessionQueries.SessionChoice>;
  await sessionQueries.revokeSessions(deps.db, principal.id, choices[scope], deps.clock.now());
}
