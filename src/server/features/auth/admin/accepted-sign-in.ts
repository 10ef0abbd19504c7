import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit } from "../../../platform/audit.ts";
import type { Connection } from "../../../platform/db/database.ts";
import type { AccountRow } from "../queries.ts";
import { findVerifiedFactor } from "../second-factor/queries.ts";

/**
 * Writes an audit entry for a sign-in of the admin, or that it has begun where the second factor's code is still to be given: such a session
 * opens nothing (FACTOR-2). Students' sign-ins are not recorded.
 */
export async function auditAdminSignIn(
  deps: Dependencies,
  connection: Connection,
  account: AccountRow,
  { by, ip, hasGivenCode = false }: { by: "password" | "recovery"; ip: string; hasGivenCode?: boolean },
): Promise<void> {
  if (account.role !== "admin") return;
  const { id, email } = account;
  const isWhole = hasGivenCode || !(await findVerifiedFactor(connection, id));
  const action = isWhole ? "admin.sign-in" : "admin.sign-in-begin";
  await recordAudit(
    connection,
    { id, email, ip },
    { at: deps.clock.now(), action, subject: { type: "account", id }, details: { by } },
  );
}
