import { normaliseEmail } from "#domain/accounts/accounts";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import type { Connection } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { auditAdminSignIn } from "./admin/accepted-sign-in.ts";
import { auditRefusedSignIn } from "./admin/refused-sign-in.ts";
import { limitAttempt, type AttemptLimits, type Source } from "./limits/attempts.ts";
import { findByEmailFrom, isUseWritten, rememberNetwork } from "./limits/familiar-networks.ts";
import { limitKey } from "./limits/keys.ts";
import { verifyPassword } from "./passwords/hashing.ts";
import * as queries from "./queries.ts";
import { openSession, startSession, type OpenSession, type StartedSession } from "./sessions/start.ts";

/**
 * Guessing one account's password is slowed soon from one network and later from many, while a whole office behind one address can
 * still sign in (ACCOUNT-9; docs/decisions/024). Strangers together have at most 100 tries in an hour.
 */
export const signInLimits: AttemptLimits = {
  perNetwork: { name: "sign-in-network", points: 150, seconds: 15 * 60, thenEverySeconds: 10 },
  perPlace: { name: "sign-in-here", points: 10, seconds: 15 * 60, thenEverySeconds: 90 },
  perDevices: { name: "sign-in-devices", points: 30, seconds: 3600, thenEverySeconds: 60 },
  perStrangers: { name: "sign-in-address", points: 41, seconds: 3600, thenEverySeconds: 60 },
};

/**
 * Returns a new session for an e-mail and password: of the verified account, else of an unfinished sign-up of the same address. Throws
 * `credentials_invalid` for any wrong part, `too_many_requests` or `unavailable`.
 */
export async function signIn(
  deps: Dependencies,
  form: { email: string; password: string },
  from: Source,
): Promise<OpenSession> {
  const email = addressOf(form.email);
  const found = await findByEmailFrom(deps, email, from.ip);
  await limitAttempt(deps, signInLimits, { email, found }, from).catch(async (error: unknown) => {
    const isSlowed = error instanceof ProductError && error.code === "too_many_requests";
    if (isSlowed) await auditRefusedSignIn(deps, found.verified, "admin.sign-in-limited", from.ip);
    throw error;
  });
  const account = await findByPassword(found, form.password);
  const started = account && (await writeSignIn(deps, account, found.lastUse, from));
  if (!started) {
    await auditRefusedSignIn(deps, found.verified, "admin.sign-in-failed", from.ip);
    throw new ProductError("credentials_invalid", { accountId: found.verified?.id });
  }
  return openSession(deps, started);
}

/** Returns whether tries at the password of an address, from places that never signed in to it, are slowed down now (ACCOUNT-9). */
export function isSignInSlowed(deps: Dependencies, email: string): Promise<boolean> {
  return deps.limits.isUsedUp(signInLimits.perStrangers, limitKey(email));
}

/** Returns the normalised address. A malformed one throws the same error as a wrong password. */
function addressOf(typed: string): string {
  try {
    return normaliseEmail(typed);
  } catch {
    throw new ProductError("credentials_invalid");
  }
}

/**
 * Returns the account with this password. Without a verified account a password is verified all the same, so that the time does not
 * show whether there is one (ACCOUNT-3).
 */
async function findByPassword(
  { verified, unfinished }: queries.FoundAccounts,
  password: string,
): Promise<queries.AccountRow | undefined> {
  let match = (await verifyPassword(verified?.password_hash, password)) ? verified : undefined;
  for (const account of unfinished) {
    const matches = await verifyPassword(account.password_hash, password);
    if (matches) match ??= account;
  }
  return match;
}

function writeSignIn(
  deps: Dependencies,
  account: queries.AccountRow,
  lastUse: Date | undefined,
  from: Source,
): Promise<StartedSession | undefined> {
  const isNetworkWritten = isUseWritten(deps, lastUse);
  const write = async (connection: Connection): Promise<StartedSession | undefined> => {
    const started = await startSession(deps, connection, account.id, { expectedHash: account.password_hash }, from);
    if (!started) return undefined;
    if (!isNetworkWritten) await rememberNetwork(deps, connection, started.account.id, from.ip);
    await auditAdminSignIn(deps, connection, started.account, { by: "password", ip: from.ip });
    return started;
  };
  // A usual sign-in writes a session and nothing else, by one statement.
  // Stryker disable next-line ConditionFalse: the transaction that is saved.
  return isNetworkWritten && account.role !== "admin" ? write(deps.db) : transaction(deps.db, write);
}
