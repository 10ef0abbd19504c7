import { randomBytes } from "node:crypto";
import { ProductError } from "#domain/errors/messages";
import { ConfigError } from "../../../config.ts";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit, type Actor, type AuditedChange, type ChangeAction } from "../../../platform/audit.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { hashPassword } from "../passwords/hashing.ts";
import { checkNewPassword } from "../passwords/new-password.ts";
import { forgetNetworks } from "../limits/familiar-networks.ts";
import { deleteAllRecoveries } from "../passwords/queries.ts";
import * as accountQueries from "../queries.ts";
import { deleteAllFactors } from "../second-factor/queries.ts";
import { endSessions } from "../sessions/end.ts";
import * as queries from "./queries.ts";

const fullName = "Administrator";

const theServer: Actor = { id: null, email: "the server", ip: "" };

/**
 * Makes the account of `ADMIN_EMAIL` the one admin (ACCESS-2). The first start creates it with `ADMIN_PASSWORD`, or else with a random
 * password, which is returned once. When `ADMIN_EMAIL` has changed, the former admin becomes a student and is signed out. A student
 * who already had the new address gets a new password, no second factor, and is signed out, since the address may be somebody else's.
 * Several processes may call it at once. Throws `ConfigError` when it would set an `ADMIN_PASSWORD` that a student could not choose
 * (ACCOUNT-4), and `JobError` when that cannot be checked.
 */
export async function createAdmin(deps: Dependencies): Promise<{ password?: string }> {
  const { config, db } = deps;
  const current = await queries.findAdmin(db);
  if (current?.email === config.admin.email) return {};
  if (config.admin.password !== undefined) await checkAdminPassword(deps, config.admin.password);
  const password = config.admin.password ?? randomBytes(16).toString("base64url");
  const passwordHash = await hashPassword(password);
  const isDone = await transaction(db, (tx) => writeAdmin(deps, tx, passwordHash));
  return isDone && config.admin.password === undefined ? { password } : {};
}

async function checkAdminPassword(deps: Dependencies, password: string): Promise<void> {
  try {
    await checkNewPassword(deps, password, [deps.config.admin.email, fullName]);
  } catch (error) {
    // Stryker disable next-line ConditionFalse: no other error has one of the codes below.
    if (!(error instanceof ProductError)) throw error;
    // A start takes `unavailable` for a store of files that does not answer.
    if (error.code === "unavailable") throw error.cause instanceof Error ? error.cause : error;
    if (!["password_weak", "password_too_long"].includes(error.code)) throw error;
    throw new ConfigError([
      "ADMIN_PASSWORD: must have 8 to 256 characters and not be easy to guess, nor the admin's address or the site's name",
    ]);
  }
}

/** Returns false when another process has done it meanwhile. */
async function writeAdmin(deps: Dependencies, tx: Transaction, passwordHash: string): Promise<boolean> {
  const email = deps.config.admin.email;
  await queries.lockAdminRole(tx);
  await accountQueries.lockAddress(tx, email);
  const current = await queries.findAdmin(tx);
  if (current?.email === email) return false;
  if (current) await demote(deps, tx, current);
  await accountQueries.deleteUnfinishedSignUps(tx, email);
  const { verified } = await accountQueries.findByEmail(tx, email);
  if (verified) await promote(deps, tx, verified, passwordHash);
  else await insertAdmin(deps, tx, passwordHash);
  return true;
}

async function demote(deps: Dependencies, tx: Transaction, account: accountQueries.AccountRow): Promise<void> {
  const now = deps.clock.now();
  await queries.updateRole(tx, account.id, "student");
  await endSessions(tx, account.id, "all", now);
  await audit(deps, tx, "admin.demote", account, { before: "admin", after: "student" });
}

async function promote(
  deps: Dependencies,
  tx: Transaction,
  account: accountQueries.AccountRow,
  passwordHash: string,
): Promise<void> {
  await accountQueries.updatePassword(tx, account.id, passwordHash);
  await queries.updateRole(tx, account.id, "admin");
  await endSessions(tx, account.id, "all", deps.clock.now());
  await deleteAllRecoveries(tx, account.id);
  await forgetNetworks(tx, account.id);
  await deleteAllFactors(tx, account.id);
  await audit(deps, tx, "admin.promote", account, { before: "student", after: "admin" });
}

async function insertAdmin(deps: Dependencies, tx: Transaction, passwordHash: string): Promise<void> {
  const email = deps.config.admin.email;
  const now = deps.clock.now();
  const id = await accountQueries.insertAccount(tx, {
    email,
    password_hash: passwordHash,
    role: "admin",
    email_verified_at: now,
    created_at: now,
    full_name: fullName,
  });
  await audit(deps, tx, "admin.create", { id, email }, { after: "admin" });
}

/** Writes a change of who is the admin, as roles before and after. */
function audit(
  deps: Dependencies,
  tx: Transaction,
  action: ChangeAction,
  { id, email }: Pick<accountQueries.AccountRow, "id" | "email">,
  change: AuditedChange,
): Promise<void> {
  return recordAudit(tx, theServer, {
    at: deps.clock.now(),
    action,
    subject: { type: "account", id },
    details: { email, ...change },
  });
}
