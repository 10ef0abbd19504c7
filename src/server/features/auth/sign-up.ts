import { isReservedEmail, normaliseEmail, normaliseFullName } from "#domain/accounts";
import { ProductError } from "#domain/messages";
import type { Dependencies } from "../../dependencies.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { limits, networkOf } from "./limits.ts";
import { checkNewPassword, hashPassword, verifyPassword } from "./passwords.ts";
import * as queries from "./queries.ts";
import { openSession, startSession, type OpenSession, type StartedSession } from "./sessions.ts";

/** How often to look again when another sign-up for the address came between; after that the newest simply wins. */
const maxRaces = 3;

/**
 * Creates an unfinished account and its session, whether or not the address has an account already: the answer must not tell
 * (ACCOUNT-3; docs/decisions/004). It takes the place of an unfinished one, except that the same password finds the same
 * account again. Throws `email_reserved`, `email_invalid`, `full_name_missing`, `full_name_invalid`, `password_weak`,
 * `password_too_long`, `too_many_requests` or `unavailable`.
 */
export async function signUp(
  deps: Dependencies,
  form: { email: string; password: string; fullName: string },
  ip: string,
): Promise<OpenSession> {
  await deps.limits.consume(limits.signUpPerNetwork, networkOf(ip));
  if (isReservedEmail(form.email, deps.config.adminEmail)) throw new ProductError("email_reserved");
  const email = normaliseEmail(form.email);
  const fullName = normaliseFullName(form.fullName);
  checkNewPassword(form.password);

  let ownHash: string | undefined;
  for (let race = 1; ; race++) {
    const { unfinished } = await queries.findByEmail(deps.db, email);
    const isSame = unfinished !== undefined && (await verifyPassword(unfinished.password_hash, form.password));
    const passwordHash = isSame ? unfinished.password_hash : (ownHash ??= await hashPassword(form.password));
    const sign: SignUp = { email, fullName, passwordHash, unfinished, keeps: isSame, insists: race >= maxRaces };
    const started = await transaction(deps.db, (tx) => writeSignUp(deps, tx, sign));
    if (started) return openSession(deps, started);
  }
}

interface SignUp {
  email: string;
  fullName: string;
  passwordHash: string;
  /** The sign-up that was found, and whether it stays because the password is the same. */
  unfinished: queries.AccountRow | undefined;
  keeps: boolean;
  /** Replaces whatever is there. */
  insists: boolean;
}

/** Answers undefined when the unfinished sign-up is no longer the one that was looked at. */
async function writeSignUp(deps: Dependencies, tx: Transaction, sign: SignUp): Promise<StartedSession | undefined> {
  await queries.lockAddress(tx, sign.email);
  const { unfinished } = await queries.findByEmail(tx, sign.email);
  const isUnchanged = unfinished?.password_hash === sign.unfinished?.password_hash;
  if (!isUnchanged && !sign.insists) return undefined;
  const isKept = isUnchanged && sign.keeps && unfinished !== undefined;
  const accountId = isKept ? await keep(tx, unfinished, sign) : await replace(deps, tx, sign);
  return startSession(deps, tx, accountId, { expectedHash: sign.passwordHash });
}

async function keep(tx: Transaction, unfinished: queries.AccountRow, { fullName }: SignUp): Promise<string> {
  await queries.renameProfile(tx, unfinished.id, fullName);
  return unfinished.id;
}

/** Codes and sessions of the one replaced go with it, so nobody can finish what another began. */
async function replace(deps: Dependencies, tx: Transaction, sign: SignUp): Promise<string> {
  await queries.deleteUnfinished(tx, sign.email);
  return queries.insertAccount(tx, {
    email: sign.email,
    password_hash: sign.passwordHash,
    created_at: deps.clock.now(),
    full_name: sign.fullName,
  });
}
