import { recordAudit, type Actor } from "../../../platform/audit.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { deleteEmailChange } from "../profile/queries.ts";
import { lockById } from "../queries.ts";
import { revokeSessions, type SessionChoice } from "./queries.ts";

/**
 * Ends chosen sessions of an account, because access is taken back, and returns how many there were. A pending change of address ends
 * with them: one of them may have begun it (OWN-3).
 */
export async function endSessions(tx: Transaction, accountId: string, choice: SessionChoice, at: Date): Promise<number> {
  await lockById(tx, accountId);
  const ended = await revokeSessions(tx, accountId, choice, at);
  await deleteEmailChange(tx, accountId);
  return ended;
}

/** Ends chosen sessions of the caller, with an entry of the audit log where there were any (AUDIT-3), and returns how many. */
export async function endOwnSessions(
  tx: Transaction,
  actor: Actor & { id: string },
  choice: SessionChoice,
  at: Date,
): Promise<number> {
  const count = await endSessions(tx, actor.id, choice, at);
  const subject = { type: "account", id: actor.id };
  if (count > 0) await recordAudit(tx, actor, { at, action: "account.sessions-end", subject, details: { count } });
  return count;
}
