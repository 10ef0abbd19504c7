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
