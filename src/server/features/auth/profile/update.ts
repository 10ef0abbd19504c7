import type { UserUpdate } from "#domain/api/auth";
import { normaliseEmail, normaliseFullName } from "#domain/accounts/accounts";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { requireVerified, type Principal } from "../../../platform/http/access.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { getAccount } from "../account.ts";
import type { Source } from "../limits/attempts.ts";
import { preparePasswordChange } from "../passwords/change.ts";
import { tryKeyOf } from "../passwords/recovery.ts";
import { updateFullName, type AccountRow } from "../queries.ts";
import { lockCaller, type LockedCaller } from "../sessions/lock-caller.ts";
import { prepareEmailChange } from "./email-change.ts";
import { markUpdated } from "./queries.ts";

type Write = (tx: Transaction, caller: LockedCaller) => Promise<void>;

const accountLimit: Limit = { name: "profile-account", points: 30, seconds: 10 * 60 };

/**
 * Changes the caller's password, name (OWN-2) and address as far as they are given: all in one transaction, or nothing (OWN-4). Returns
 * the account. Throws `phone_unsupported`, `invalid_input` when nothing is given, the errors of `preparePasswordChange` and
 * `prepareEmailChange`, `email_not_verified`, `full_name_missing`, `full_name_invalid`, `not_signed_in`, `too_many_requests` or
 * `unavailable`.
 */
export async function updateUser(
  deps: Dependencies,
  principal: Principal,
  { password, current_password, email, phone, data }: UserUpdate,
  from: Source,
): Promise<AccountRow> {
  if (phone) throw new ProductError("phone_unsupported");
  const fullName = data?.full_name;
  if (password === undefined && email === undefined && fullName === undefined) throw new ProductError("invalid_input");
  await deps.limits.consume(accountLimit, tryKeyOf(principal, deps.clock.now()));
  const writes: Write[] = [];
  if (fullName !== undefined) writes.push(prepareNameChange(deps, principal, fullName));
  const emailWrite = email === undefined ? undefined : await prepareEmailChange(deps, principal, email);
  if (password !== undefined) {
    // Stryker disable next-line ArrayDeclaration: one word more is in no password.
    const alsoOwn: string[] = [];
    if (fullName !== undefined) alsoOwn.push(normaliseFullName(fullName));
    if (email !== undefined) alsoOwn.push(normaliseEmail(email));
    writes.push(await preparePasswordChange(deps, principal, { password, current_password, alsoOwn }, from));
  }
  // After the password, whose change ends a pending address.
  if (emailWrite) writes.push(emailWrite);
  await transaction(deps.db, async (tx) => {
    const caller = await lockCaller(deps, tx, principal);
    for (const write of writes) await write(tx, caller);
  });
  return getAccount(deps, principal);
}

function prepareNameChange(deps: Dependencies, principal: Principal, typed: string): Write {
  requireVerified(principal);
  const { id } = principal;
  const fullName = normaliseFullName(typed);
  return async (tx) => {
    await updateFullName(tx, id, fullName);
    await markUpdated(tx, id, deps.clock.now());
  };
}
