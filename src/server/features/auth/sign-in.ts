import { normaliseEmail } from "#domain/accounts/accounts";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { limitKey, networkOf } from "./limit-keys.ts";
import { verifyPassword } from "./passwords/hashing.ts";
import * as queries from "./queries.ts";
import { openSession, startSession, type OpenSession, type StartedSession } from "./sessions/start.ts";

/**
 * Guessing one account's password is stopped soon from one network and later from many, while a whole office behind one address can
 * still sign in. An owner who is locked out by a stranger's guessing can sign in by a recovery mail.
 */
const signInLimits = {
  perNetwork: { name: "sign-in-network", points: 150, seconds: 15 * 60 },
  perAddressAndNetwork: { name: "sign-in-here", points: 10, seconds: 15 * 60 },
  perAddress: { name: "sign-in-address", points: 100, seconds: 3600 },
} satisfies Record<string, Limit>;

/**
 * Returns a new session for an e-mail and password: of the verified account, else of an unfinished sign-up of the same address. Throws
 * `credentials_invalid` for any wrong part, `too_many_requests` or `unavailable`.
 */
export async function signIn(deps: Dependencies, form: { email: string; password: string }, ip: string): Promise<OpenSession> {
  const email = addressOf(form.email);
  const network = networkOf(ip);
  await deps.limits.consume(signInLimits.perNetwork, network);
  await deps.limits.consume(signInLimits.perAddressAndNetwork, limitKey(email, network));
  await deps.limits.consume(signInLimits.perAddress, limitKey(email));
  const account = await findByPassword(deps, email, form.password);
  const started = account && (await writeSignIn(deps, account, ip));
  if (!started) throw new ProductError("credentials_invalid");
  return openSession(deps, started);
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
async function findByPassword(deps: Dependencies, email: string, password: string): Promise<queries.AccountRow | undefined> {
  const { verified, unfinished } = await queries.findByEmail(deps.db, email);
  const matchesVerified = await verifyPassword(verified?.password_hash, password);
  const matchesUnfinished = unfinished !== undefined && (await verifyPassword(unfinished.password_hash, password));
  if (matchesVerified) return verified;
  return matchesUnfinished ? unfinished : undefined;
}

function writeSignIn(deps: Dependencies, account: queries.AccountRow, ip: string): Promise<StartedSession | undefined> {
  const how = { expectedHash: account.password_hash };
  if (account.role !== "admin") return startSession(deps, deps.db, account.id, how);
  return transaction(deps.db, async (tx) => {
    const started = await startSession(deps, tx, account.id, how);
    if (started) await auditAdminSignIn(deps, tx, started.account, "password", ip);
    return started;
  });
}

/** Writes an audit entry for a sign-in of the admin; students' sign-ins are not recorded. */
export async function auditAdminSignIn(
  deps: Dependencies,
  tx: Transaction,
  account: queries.AccountRow,
  by: "password" | "recovery",
  ip: string,
): Promise<void> {
  if (account.role !== "admin") return;
  const { id, email } = account;
  await recordAudit(
    tx,
    { id, email, ip },
    { at: deps.clock.now(), action: "admin.sign-in", subject: { type: "account", id }, details: { by } },
  );
}
