import { normaliseEmail } from "#domain/accounts";
import { ProductError } from "#domain/messages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { limitKey, limits, networkOf } from "./limits.ts";
import { verifyPassword } from "./passwords.ts";
import * as queries from "./queries.ts";
import { openSession, startSession, type OpenSession, type StartedSession } from "./sessions.ts";

/**
 * Signs in by e-mail and password: the verified account first, then an unfinished sign-up of the same address. Throws
 * `credentials_invalid` for whatever does not fit, `too_many_requests` or `unavailable`.
 */
export async function signIn(deps: Dependencies, form: { email: string; password: string }, ip: string): Promise<OpenSession> {
  const email = knownForm(form.email);
  const network = networkOf(ip);
  await deps.limits.consume(limits.signInPerNetwork, network);
  await deps.limits.consume(limits.signInPerAddressAndNetwork, limitKey(email, network));
  await deps.limits.consume(limits.signInPerAddress, limitKey(email));
  const account = await accountWith(deps, email, form.password);
  const started = account && (await writeSignIn(deps, account, ip));
  if (!started) throw new ProductError("credentials_invalid");
  return openSession(deps, started);
}

/** What is no address cannot have an account; saying so instead would only help a robot. */
function knownForm(typed: string): string {
  try {
    return normaliseEmail(typed);
  } catch {
    throw new ProductError("credentials_invalid");
  }
}

/**
 * One verification for the verified account or in its place, and one more only where an unfinished sign-up is: so the time
 * does not tell whether there is a verified account (ACCOUNT-3).
 */
async function accountWith(deps: Dependencies, email: string, password: string): Promise<queries.AccountRow | undefined> {
  const { verified, unfinished } = await queries.findByEmail(deps.db, email);
  const isVerifieds = await verifyPassword(verified?.password_hash, password);
  const isUnfinisheds = unfinished !== undefined && (await verifyPassword(unfinished.password_hash, password));
  if (isVerifieds) return verified;
  return isUnfinisheds ? unfinished : undefined;
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

/** Every sign-in of the admin is kept; students' are not. */
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

/**
 * Whether a password is an account's, for changes that a stolen session alone must not make. Attempts are counted per account.
 * Throws `too_many_requests` or `unavailable`.
 */
export async function confirmPassword(deps: Dependencies, accountId: string, password: string): Promise<boolean> {
  await deps.limits.consume(limits.passwordPerAccount, accountId);
  const account = await queries.findAccount(deps.db, accountId);
  return verifyPassword(account?.password_hash, password);
}
