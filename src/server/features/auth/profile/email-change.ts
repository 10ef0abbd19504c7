import { createHmac, timingSafeEqual } from "node:crypto";
import { normaliseEmail } from "#domain/accounts/accounts";
import { codeLifetimeSeconds, maxTriesPerCode, secondsUntilResend, strangersPauseSeconds } from "#domain/accounts/verification";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit } from "../../../platform/audit.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { requireProven, requireVerified, type Principal } from "../../../platform/http/access.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { newCode } from "../../verification/service.ts";
import { limitKey, networkOf } from "../limits/keys.ts";
import { deleteAllRecoveries } from "../passwords/queries.ts";
import { findByEmail, findById, lockById, unlessVerifiedElsewhere, type AccountRow } from "../queries.ts";
import { isReservedEmail } from "../reserved-email.ts";
import type { LockedCaller } from "../sessions/lock-caller.ts";
import { addressChangedMail, addressRequestedMail, addressTakenMail, newAddressKey, newAddressMail } from "./mail.ts";
import * as queries from "./queries.ts";

const limits = {
  mailsToAddress: { name: "new-address-mail", points: 10, seconds: 3600, thenEverySeconds: 300 },
  mailsOfAccount: { name: "new-address-account", points: 10, seconds: 3600 },
  triesOfNetwork: { name: "new-address-network", points: 60, seconds: 3600 },
  /** For one address from one network: fewer than a code has, and for as long as it holds, so that the owner's are not used up. */
  triesOfPlace: { name: "new-address-here", points: 3, seconds: codeLifetimeSeconds },
} satisfies Record<string, Limit>;

/** Seconds after its request for which the code of a change may be sent again; the last code holds ten minutes more (OWN-3). */
const resendSeconds = 20 * 60;

/** Returns the changes of address whose code may be sent again, by the account's present or its new address. */
export function findAllResendable(
  deps: Dependencies,
  connection: Connection,
  email: string,
): Promise<queries.EmailChangeRow[]> {
  return queries.findAllRequested(connection, email, secondsAfter(deps.clock.now(), -resendSeconds));
}

/**
 * Returns the write that begins a change of the caller's address (OWN-3): it mails a code to the new address, or a notice
 * to its owner when the address already has an account, and a notice to the present address. Requesting the present address cancels a pending change. Throws
 * `email_not_verified`, `admin_email_fixed`, `step_up_needed`, `email_reserved`, `email_invalid`, `code_resend_too_soon`
 * or `too_many_requests`.
 */
export async function prepareEmailChange(
  deps: Dependencies,
  principal: Principal,
  typed: string,
): Promise<(tx: Transaction, caller: LockedCaller) => Promise<void>> {
  requireVerified(principal);
  if (principal.role === "admin") throw new ProductError("admin_email_fixed");
  requireProven(principal, deps.clock.now());
  if (isReservedEmail(typed, deps.config.admin.email)) throw new ProductError("email_reserved");
  const newEmail = normaliseEmail(typed);
  if (newEmail === principal.email) return (tx) => queries.deleteEmailChange(tx, principal.id);
  refuseWithinPause(deps, await queries.findEmailChange(deps.db, principal.id, deps.clock.now()));
  await consumeMail(deps, principal.id, newEmail);
  return async (tx, { account }) => {
    const now = deps.clock.now();
    // Checked again under the lock: of several requests at once, one sends.
    refuseWithinPause(deps, await queries.findEmailChange(tx, account.id, now));
    await writeCode(deps, tx, { accountId: account.id, newEmail, requestedAt: now });
    await deps.outbox.enqueue(tx, addressRequestedMail(deps.config.site, account.email, newEmail));
  };
}

/** Returns when the newest code of a change was mailed. `created_at` is when the change was requested. */
export function codeSentAt({ expires_at }: queries.EmailChangeRow): Date {
  return secondsAfter(expires_at, -codeLifetimeSeconds);
}

async function consumeMail(deps: Dependencies, accountId: string, newEmail: string): Promise<void> {
  await deps.limits.consume(limits.mailsOfAccount, accountId);
  await deps.limits.consume(limits.mailsToAddress, limitKey(newEmail));
}

function refuseWithinPause(deps: Dependencies, change: queries.EmailChangeRow | undefined, pauseSeconds?: number): void {
  const wait = change ? secondsUntilResend(codeSentAt(change).getTime(), deps.clock.now().getTime(), pauseSeconds) : 0;
  if (wait > 0) throw new ProductError("code_resend_too_soon", { retryAfter: wait });
}

async function writeCode(
  deps: Dependencies,
  tx: Transaction,
  { accountId, newEmail, requestedAt }: { accountId: string; newEmail: string; requestedAt: Date },
): Promise<void> {
  const expiresAt = secondsAfter(deps.clock.now(), codeLifetimeSeconds);
  const code = newCode();
  await queries.upsertEmailChange(tx, {
    account_id: accountId,
    new_email: newEmail,
    code_hash: codeHash(deps, accountId, newEmail, code),
    created_at: requestedAt,
    expires_at: expiresAt,
  });
  const { site } = deps.config;
  const { verified } = await findByEmail(tx, newEmail);
  const mail = verified ? addressTakenMail(site, newEmail) : newAddressMail({ site, to: newEmail, accountId, code, expiresAt });
  // A code of a request before no longer counts.
  // Stryker disable next-line ConditionTrue: the mail of a newer code takes its place by itself.
  if (verified) await deps.outbox.cancel(tx, newAddressKey(accountId), "Not sent, because another address was requested.");
  await deps.outbox.enqueue(tx, mail);
}

/** Keyed, since a million codes are soon hashed; with account and address, so that the code fits no other change. */
function codeHash(deps: Dependencies, accountId: string, newEmail: string, code: string): Buffer {
  return createHmac("sha256", deps.secrets.codePepper).update(`new-address:${accountId}:${newEmail}:${code}`).digest();
}

/**
 * Gives an account the address that a code was mailed to, and returns the account (OWN-3). The code identifies the account, since
 * auth-js sends it without a session. Throws `verification_code_invalid`, `email_invalid` or `too_many_requests`.
 */
export async function confirmEmailChange(
  deps: Dependencies,
  form: { email: string; code: string },
  ip: string,
): Promise<AccountRow> {
  await deps.limits.consume(limits.triesOfNetwork, networkOf(ip));
  const newEmail = normaliseEmail(form.email);
  await deps.limits.consume(limits.triesOfPlace, limitKey(newEmail, networkOf(ip)));
  for (const change of await queries.findAllChangesTo(deps.db, newEmail, deps.clock.now())) {
    const attempt = { accountId: change.account_id, newEmail, code: form.code.trim(), ip };
    // The outcome is returned and not thrown, since a wrong try must be committed.
    const isMatch = await transaction(deps.db, (tx) => tryCode(deps, tx, attempt));
    const account = isMatch ? await findById(deps.db, change.account_id) : undefined;
    if (account) return account;
  }
  throw new ProductError("verification_code_invalid");
}

async function tryCode(
  deps: Dependencies,
  tx: Transaction,
  attempt: { accountId: string; newEmail: string; code: string; ip: string },
): Promise<boolean> {
  const { accountId, newEmail, code, ip } = attempt;
  const now = deps.clock.now();
  const account = await lockById(tx, accountId);
  // An account that became the admin's meanwhile has the address of `ADMIN_EMAIL`.
  if (account?.role === "admin") return false;
  const change = account && (await queries.countChangeTry(tx, { accountId, newEmail, now, maxTries: maxTriesPerCode }));
  if (!change || !timingSafeEqual(change.code_hash, codeHash(deps, accountId, newEmail, code))) return false;
  const isChanged = await unlessVerifiedElsewhere(tx, (inner) => queries.updateEmail(inner, accountId, newEmail, now));
  if (!isChanged) return false;
  await queries.deleteEmailChange(tx, accountId);
  await deleteAllRecoveries(tx, accountId);
  await recordAudit(
    tx,
    { id: accountId, email: account.email, ip },
    {
      at: now,
      action: "account.email-change",
      subject: { type: "account", id: accountId },
      details: { before: account.email, after: newEmail },
    },
  );
  await deps.outbox.redirect(tx, { accountId, from: account.email, to: newEmail });
  await deps.outbox.enqueue(tx, addressChangedMail(deps.config.site, account.email, newEmail));
  return true;
}

/**
 * Mails another code for a pending change of address, to a caller without a session; nothing when it was requested long ago or has been
 * cancelled meanwhile (OWN-3). Throws `code_resend_too_soon` or `too_many_requests`.
 */
export async function resendEmailChange(deps: Dependencies, found: queries.EmailChangeRow): Promise<void> {
  const { account_id: accountId, new_email: newEmail } = found;
  refuseWithinPause(deps, found, strangersPauseSeconds(found.tries));
  await consumeMail(deps, accountId, newEmail);
  await transaction(deps.db, async (tx) => {
    await lockById(tx, accountId);
    const changes = await findAllResendable(deps, tx, newEmail);
    const change = changes.find((row) => row.account_id === accountId && row.new_email === newEmail);
    if (!change) return;
    refuseWithinPause(deps, change, strangersPauseSeconds(change.tries));
    await writeCode(deps, tx, { accountId, newEmail, requestedAt: change.created_at });
  });
}
