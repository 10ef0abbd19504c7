import type { Transaction } from "../../../platform/db/database.ts";
import { endSessions } from "../sessions/end.ts";
import { findAdmin } from "./queries.ts";

/** Ends all sessions of the admin, because somebody else may have one. */
export async function endAdminSessions(tx: Transaction, at: Date): Promise<void> {
  const admin = await findAdmin(tx);
  if (admin) await endSessions(tx, admin.id, "all", at);
}
