import { randomBytes } from "node:crypto";
import type { Config } from "../../../config.ts";
import { recordAudit } from "../../../platform/audit.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { forgetNetworks } from "../limits/familiar-networks.ts";
import { hashPassword } from "../passwords/hashing.ts";
import { deleteAllRecoveries } from "../passwords/queries.ts";
import * as accountQueries from "../queries.ts";
import { deleteAllFactors } from "../second-factor/queries.ts";
import { endSessions } from "../sessions/end.ts";
import * as queries from "./queries.ts";

interface Shell {
  db: Database;
  clock: Clock;
  config: Config;
}

/** There is no admin to reset, or another than `ADMIN_EMAIL` names; the message is one line for the operator. */
export class NoAdminError extends Error {
  override name = "NoAdminError";
}

/**
 * Sets a random password for the admin and returns it, once; ends the admin's sessions, recovery links and familiar networks (ACCESS-7).
 * Throws `NoAdminError`.
 */
export async function resetAdminPassword(shell: Shell): Promise<string> {
  const password = randomBytes(16).toString("base64url");
  const passwordHash = await hashPassword(password);
  await resetAdmin(shell, "admin.reset-password", async (tx, { id }) => {
    await accountQueries.updatePassword(tx, id, passwordHash);
    await deleteAllRecoveries(tx, id);
    await forgetNetworks(tx, id);
  });
  return password;
}

/** Removes the admin's second factor, if there is one, and ends the admin's sessions (ACCESS-7). Throws `NoAdminError`. */
export function resetSecondFactor(shell: Shell): Promise<void> {
  return resetAdmin(shell, "admin.reset-2fa", (tx, { id }) => deleteAllFactors(tx, id));
}

async function resetAdmin(
  { db, clock, config }: Shell,
  action: "admin.reset-password" | "admin.reset-2fa",
  reset: (tx: Transaction, admin: accountQueries.AccountRow) => Promise<void>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const found = await queries.findAdmin(tx);
    if (!found) throw new NoAdminError("There is no admin yet. Start the site once, which makes the account.");
    const { id, email } = found;
    if (email !== config.admin.email) {
      throw new NoAdminError(`The admin is ${email}, but ADMIN_EMAIL is ${config.admin.email}. Nothing was changed.`);
    }
    await accountQueries.lockById(tx, id);
    await reset(tx, found);
    const at = clock.now();
    await endSessions(tx, id, "all", at);
    const shellActor = { id: null, email: "the server's shell", ip: "" };
    await recordAudit(tx, shellActor, { at, action, subject: { type: "account", id }, details: { email } });
  });
}
