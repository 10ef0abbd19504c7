import { isReservedEmail, normaliseEmail, normaliseFullName } from "#domain/accounts/accounts";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { networkOf } from "./limit-keys.ts";
import { checkNewPassword, hashPassword, verifyPassword } from "./passwords/hashing.ts";
import * as queries from "./queries.ts";
import { openSession, startSession, type OpenSession, type StartedSession } from "./sessions/start.ts";

const networkLimit: Limit = { name: "sign-up-network", points: 60, seconds: 3600 };

/** Attempts when other sign-ups for the address come between; the last attempt replaces whatever is there. */
const maxAttempts = 3;

/**
 * Creates an unfinished account and returns its session, whether or not the address has an account already, since the reply must not
 * show that (ACCOUNT-3; docs/decisions/004). It replaces an earlier unfinished account of the address, unless the password is the same:
 * then that account is kept. Throws `email_reserved`, `email_invalid`, `full_name_missing`, `full_name_invalid`, `password_weak`,
 * `password_too_long`, `too_many_requests` or `unavailable`.
 */
export async function signUp(
  deps: Dependencies,
  form: { email: string; password: string; fullName: string },
  ip: string,
): Promise<OpenSession> {
  await deps.limits.consume(networkLimit, networkOf(ip));
  if (isReservedEmail(form.email, deps.config.admin.email)) throw new ProductError("email_reserved");
  const email = normaliseEmail(form.email);
  const fullName = normaliseFullName(form.fullName);
  checkNewPassword(form.password);

  let ownHash: string | undefined;
  for (let attempt = 1; ; attempt++) {
    const { unfinished } = await queries.findByEmail(deps.db, email);
    const isSame = unfinished !== undefined && (await verifyPassword(unfinished.password_hash, form.password));
    const passwordHash = isSame ? unfinished.password_hash : (ownHash ??= await hashPassword(form.password));
    const sign: SignUp = { email, fullName, passwordHash, unfinished, isKept: isSame, isLastAttempt: attempt >= maxAttempts };
    const started = await transaction(deps.db, (tx) => writeSignUp(deps, tx, sign));
    if (started) return openSession(deps, started);
  }
}

interface SignUp {
  email: string;
  fullName: string;
  passwordHash: string;
  /** The unfinished sign-up that was found before the transaction. */
  unfinished: queries.AccountRow | undefined;
  /** Whether it is kept because the password is the same. */
  isKept: boolean;
  /** Whether to replace whatever sign-up is there. */
  isLastAttempt: boolean;
}

/** Returns undefined when another unfinished sign-up is there than before the transaction. */
async function writeSignUp(deps: Dependencies, tx: Transaction, sign: SignUp): Promise<StartedSession | undefined> {
  await queries.lockAddress(tx, sign.email);
  const { unfinished } = await queries.findByEmail(tx, sign.email);
  const isUnchanged = unfinished?.password_hash === sign.unfinished?.password_hash;
  if (!isUnchanged && !sign.isLastAttempt) return undefined;
  const isKept = isUnchanged && sign.isKept && unfinished !== undefined;
  const accountId = isKept ? await keep(tx, unfinished, sign) : await replace(deps, tx, sign);
  return startSession(deps, tx, accountId, { expectedHash: sign.passwordHash });
}

async function keep(tx: Transaction, unfinished: queries.AccountRow, { fullName }: SignUp): Promise<string> {
  await queries.updateFullName(tx, unfinished.id, fullName);
  return unfinished.id;
}

/** Deletes codes and sessions with the replaced sign-up, so that nobody can finish what another began. */
async function replace(deps: Dependencies, tx: Transaction, sign: SignUp): Promise<string> {
  await queries.deleteUnfinished(tx, sign.email);
  return queries.insertAccount(tx, {
    email: sign.email,
    password_hash: sign.passwordHash,
    created_at: deps.clock.now(),
    full_name: sign.fullName,
  });
}
