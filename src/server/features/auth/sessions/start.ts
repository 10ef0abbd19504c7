import { randomUUID } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { Dependencies } from "../../../dependencies.ts";
import type { Connection } from "../../../platform/db/database.ts";
import { oldestStart } from "../../../platform/db/session-lifetime.ts";
import { withDetails, withoutDetails, type AccountDetails } from "../profile/details.ts";
import type { AccountRow } from "../queries.ts";
import * as queries from "./queries.ts";
import { randomToken, signAccessToken, tokenHash, type AccessToken, type SessionProof } from "./tokens.ts";

/** Where a request comes from, as the owner of the session reads it (OWN-1). */
export interface Client {
  ip: string;
  /** The `User-Agent` header. */
  userAgent: string;
}

const maxUserAgentLength = 300;

/** Returns what is stored of a client: its address in its usual form, and the beginning of its user agent. */
export function storedClient({ ip, userAgent }: Client): { network: string; userAgent: string } {
  const network = ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip;
  return { network, userAgent: userAgent.slice(0, maxUserAgentLength) };
}

/** A session as its owner receives it. */
export interface OpenSession extends AccessToken {
  refresh_token: string;
  account: AccountDetails;
}

/** A session in the database; `openSession` signs its access token once the transaction is committed. */
export interface StartedSession {
  sessionId: string;
  refreshToken: string;
  account: AccountRow;
  /** False where the account is known to have no details, so that nobody asks for them. */
  hasDetails: boolean;
  proof: SessionProof;
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
  client: Client,
): Promise<StartedSession | undefined> {
  const now = deps.clock.now();
  const sessionId = randomUUID();
  const refreshToken = randomToken();
  const inserted = await queries.insertSession(connection, {
    accountId,
    expectedHash: "expectedHash" in how ? how.expectedHash : undefined,
    sessionId,
    tokenHash: tokenHash(refreshToken),
    byRecovery: "byRecovery" in how,
    ...storedClient(client),
    now,
    oldestStart: oldestStart(now),
  });
  const proof = { created_at: now, by_recovery: "byRecovery" in how, second_factor_at: null, second_factor_by: null };
  return inserted && { sessionId, refreshToken, ...inserted, proof };
}

/** Returns a session with a signed access token. */
export async function openSession(deps: Dependencies, started: StartedSession): Promise<OpenSession> {
  const { account, hasDetails, sessionId, refreshToken, proof } = started;
  const token = await signAccessToken(deps, { accountId: account.id, sessionId, email: account.email, proof });
  return {
    ...token,
    refresh_token: refreshToken,
    account: hasDetails ? await withDetails(deps, account) : withoutDetails(account),
  };
}
