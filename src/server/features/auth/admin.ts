import { randomBytes } from "node:crypto";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { hashPassword } from "./passwords.ts";
import * as queries from "./queries.ts";
import * as sessionQueries from "./session-queries.ts";

const theServer: Actor = { id: null, email: "the server", ip: "" };

/**
 * Makes the account of `ADMIN_EMAIL` the admin, and no other (ACCESS-2). At the first start it is created with
 * `ADMIN_PASSWORD`, else with a random password, which is returned once. When `ADMIN_EMAIL` has changed, the former admin
 * becomes a student and is signed out; a student who already had the new address is promoted only with a new password and
 * signed out, since until now anybody could have been behind it. Safe when several processes start at once.
 */
export async function createAdmin(deps: Dependencies): Promise<{ password?: string }> {
  const { config, db } = deps;
  const standing = await queries.findAdmin(db);
  if (standing?.email === config.adminEmail) return {};
  const password = config.adminPassword ?? randomBytes(12).toString("base64url");
  const passwordHash = await hashPassword(password);
  const isDone = await transaction(db, (tx) => writeAdmin(deps, tx, passwordHash));
  return isDone && config.adminPassword === undefined ? { password } : {};
}

/** Answers false when another process has done it meanwhile. */
async function writeAdmin(deps: Dependencies, tx: Transaction, passwordHash: string): Promise<boolean> {
  const { adminEmail: email } = deps.config;
  await queries.lockAdminRole(tx);
  const current = await queries.findAdmin(tx);
  if (current?.email === email) return false;
  if (current) await demote(deps, tx, current);
  await queries.deleteUnfinished(tx, email);
  const { verified } = await queries.findByEmail(tx, email);
  if (verified) await promote(deps, tx, verified, passwordHash);
  else await create(deps, tx, passwordHash);
  return true;
}

async function demote(deps: Dependencies, tx: Transaction, account: queries.AccountRow): Promise<void> {
  const now = deps.clock.now();
  await queries.setRole(tx, account.id, "student");
  await sessionQueries.revokeSessions(tx, account.id, "all", now);
  await audit(deps, tx, "admin.demote", account.id, account.email);
}

async function promote(deps: Dependencies, tx: Transaction, account: queries.AccountRow, passwordHash: string): Promise<void> {
  await queries.lockAccount(tx, account.id);
  await queries.setPassword(tx, account.id, passwordHash);
  await queries.setRole(tx, account.id, "admin");
  await sessionQueries.revokeSessions(tx, account.id, "all", deps.clock.now());
  await queries.deleteRecoveries(tx, account.id);
  await audit(deps, tx, "admin.promote", account.id, account.email);
}

async function create(deps: Dependencies, tx: Transaction, passwordHash: string): Promise<void> {
  const { adminEmail: email } = deps.config;
  const now = deps.clock.now();
  const id = await queries.insertAccount(tx, {
    email,
    password_hash: passwordHash,
    role: "admin",
    email_verified_at: now,
    created_at: now,
    full_name: "Administrator",
  });
  await audit(deps, tx, "admin.create", id, email);
}

function audit(deps: Dependencies, tx: Transaction, action: string, id: string, email: string): Promise<void> {
  return recordAudit(tx, theServer, {
    at: deps.clock.now(),
    action,
    subject: { type: "account", id },
    details: { email },
  });
}
