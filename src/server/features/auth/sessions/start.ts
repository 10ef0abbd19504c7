import { randomUUID } from "node:crypto";
import type { Dependencies } from "../../../dependencies.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection } from "../../../platform/db/database.ts";
import type { AccountRow } from "../queries.ts";
import * as queries from "./queries.ts";
import { randomToken, signAccessToken, tokenHash, type AccessToken } from "./tokens.ts";

/** Seconds after which a session ends, however often it was renewed: 30 days (SESSION-4). */
export const sessionSeconds = 30 * 24 * 3600;

/** A session as its owner receives it. */
export interface OpenSession extends AccessToken {
  refresh_token: string;
  account: AccountRow;
}

/** A session in the database; `openSession` signs its access token once the transaction is committed. */
export interface StartedSession {
  sessionId: string;
  refreshToken: string;
  account: AccountRow;
}

/** Returns the time before which sessions that are still live cannot have begun. */
export function oldestStart(now: Date): Date {
  return secondsAfter(now, -sessionSeconds);
}

/**
 * Inserts a session of an account. `expectedHash` is the hash of the verified password. Returns undefined, and inserts nothing, when
 * the account is deleted or has another password by now.
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
  const account = await queries.insertSession(connection, {
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

/** Returns a session with a signed access token. */
export async function openSession(deps: Dependencies, started: StartedSession): Promise<OpenSession> {
  const { account, sessionId, refreshToken } = started;
  const token = await signAccessToken(deps, { accountId: account.id, sessionId, email: account.email });
  return { ...token, refresh_token: refreshToken, account };
}
