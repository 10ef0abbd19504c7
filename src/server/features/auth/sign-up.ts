import { normaliseEmail, normaliseFullName } from "#domain/accounts/accounts";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { isAhead, secondsAfter } from "../../platform/clock.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { limitAttempt, type Source } from "./limits/attempts.ts";
import { findByEmailFrom, rememberNetwork } from "./limits/familiar-networks.ts";
import { limitKey, networkOf } from "./limits/keys.ts";
import { hashPassword, verifyPassword } from "./passwords/hashing.ts";
import { checkNewPassword } from "./passwords/new-password.ts";
import * as queries from "./queries.ts";
import { isReservedEmail } from "./reserved-email.ts";
import { openSession, startSession, type OpenSession, type StartedSession } from "./sessions/start.ts";
import { signInLimits } from "./sign-in.ts";

const networkLimit: Limit = { name: "sign-up-network", points: 60, seconds: 3600, thenEverySeconds: 30 };

/** New sign-ups for one address from one network; fewer than there is room for, so that one network cannot take all of it. */
const placeLimit: Limit = { name: "sign-up-here", points: 3, seconds: 3600, thenEverySeconds: 600 };

/** Unfinished sign-ups of one address that stand side by side; each costs a sign-in one more hash. */
const maxUnfinished = 5;

/** Seconds in which an unfinished sign-up makes room for no other, long enough to find the mail and type the code. */
const protectedSeconds = 3600;

/** Attempts when other sign-ups for the address come between; the last attempt does not look for one with the same password. */
const maxAttempts = 3;

/**
 * Creates an unfinished account and returns its session, whether or not the address has an account already, since the reply must not
 * show that (ACCOUNT-3; docs/decisions/004). Unfinished sign-ups of one address stand side by side until one of them proves it
 * (ACCOUNT-10); the same password finds the same one again. Throws `email_reserved`, `email_invalid`, `full_name_missing`,
 * `full_name_invalid`, `password_weak`, `password_too_long`, `too_many_requests` or `unavailable`.
 */
export async function signUp(
  deps: Dependencies,
  form: { email: string; password: string; fullName: string },
  from: Source,
): Promise<OpenSession> {
  const network = networkOf(from.ip);
  await deps.limits.consume(networkLimit, network);
  if (isReservedEmail(form.email, deps.config.admin.email)) throw new ProductError("email_reserved");
  const email = normaliseEmail(form.email);
  const fullName = normaliseFullName(form.fullName);
  await checkNewPassword(deps, form.password, [email, fullName]);

  // The password of an unfinished sign-up opens it. Counted without one too, so that a refusal does not show it.
  await limitAttempt(deps, signInLimits, { email, found: await findByEmailFrom(deps, email, from.ip) }, from);

  let ownHash: string | undefined;
  // Stryker disable next-line UpdateOperator: only a sign-up that loses every race notices.
  for (let attempt = 1; ; attempt++) {
    const { unfinished } = await queries.findByEmail(deps.db, email);
    const same = await findSame(unfinished, form.password);
    if (same === undefined && ownHash === undefined) {
      await deps.limits.consume(placeLimit, limitKey(email, network));
      ownHash = await hashPassword(form.password);
    }
    const passwordHash = same?.password_hash ?? ownHash!;
    // Stryker disable next-line Boundary: how many races are lost before the last attempt is as good by one more.
    const sign: SignUp = { email, fullName, passwordHash, same, seen: unfinished, isLastAttempt: attempt >= maxAttempts };
    const started = await transaction(deps.db, (tx) => writeSignUp(deps, tx, sign, from));
    if (started) return openSession(deps, started);
  }
}

/** Returns the unfinished sign-up with this password. */
async function findSame(unfinished: readonly queries.AccountRow[], password: string): Promise<queries.AccountRow | undefined> {
  for (const account of unfinished) if (await verifyPassword(account.password_hash, password)) return account;
  return undefined;
}

interface SignUp {
  email: string;
  fullName: string;
  passwordHash: string;
  /** The unfinished sign-up with the same password, which is kept. */
  same: queries.AccountRow | undefined;
  /** The unfinished sign-ups that were found before the transaction. */
  seen: readonly queries.AccountRow[];
  /** Whether to write even if other sign-ups were added meanwhile. */
  isLastAttempt: boolean;
}

/** Returns undefined when there is an unfinished sign-up whose password was not compared, or the one to keep has just been deleted. */
async function writeSignUp(
  deps: Dependencies,
  tx: Transaction,
  sign: SignUp,
  from: Source,
): Promise<StartedSession | undefined> {
  await queries.lockAddress(tx, sign.email);
  const { unfinished } = await queries.findByEmail(tx, sign.email);
  const isSeen = (row: queries.AccountRow): boolean => sign.seen.some(({ id }) => id === row.id);
  if (!sign.isLastAttempt && !unfinished.every(isSeen)) return undefined;
  const kept = unfinished.find(({ id }) => id === sign.same?.id);
  const accountId = kept ? await keep(tx, kept, sign) : await add(deps, tx, sign, unfinished);
  if (accountId === undefined) return undefined;
  await rememberNetwork(deps, tx, accountId, from.ip);
  return startSession(deps, tx, accountId, { expectedHash: sign.passwordHash }, from);
}

/** Returns undefined when the account has just been deleted. */
async function keep(tx: Transaction, { id }: queries.AccountRow, { fullName }: SignUp): Promise<string | undefined> {
  if (!(await queries.lockById(tx, id))) return undefined;
  await queries.updateFullName(tx, id, fullName);
  return id;
}

/** Adds an unfinished sign-up; when there is no room, in the place of one of a clock that was ahead, or else of the oldest. */
async function add(
  deps: Dependencies,
  tx: Transaction,
  sign: SignUp,
  unfinished: readonly queries.AccountRow[],
): Promise<string> {
  const now = deps.clock.now();
  if (unfinished.length >= maxUnfinished) {
    const ahead = unfinished.find(({ created_at }) => isAhead(created_at, now));
    const oldest = unfinished.at(-1)!;
    const secondsLeft = (secondsAfter(oldest.created_at, protectedSeconds).getTime() - now.getTime()) / 1000;
    if (!ahead && secondsLeft > 0) throw new ProductError("too_many_requests", { retryAfter: Math.ceil(secondsLeft) });
    await queries.deleteAccount(tx, (ahead ?? oldest).id);
  }
  return queries.insertAccount(tx, {
    email: sign.email,
    password_hash: sign.passwordHash,
    created_at: now,
    full_name: sign.fullName,
  });
}
