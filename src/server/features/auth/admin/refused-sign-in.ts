import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit } from "../../../platform/audit.ts";
import { isAdmitted, type Limit } from "../../../platform/http/rate-limit.ts";
import { networkOf } from "../limits/keys.ts";
import type { AccountRow } from "../queries.ts";

/** So that strangers cannot fill the audit log. */
const entryLimits = {
  "admin.sign-in-failed": { name: "audited-sign-in-failed", points: 1, seconds: 600 },
  "admin.sign-in-limited": { name: "audited-sign-in-limited", points: 1, seconds: 600 },
} satisfies Record<string, Limit>;

/**
 * Writes an entry for a wrong password of the admin's account, once in ten minutes for each network, or for tries that were slowed down,
 * once in ten minutes (AUDIT-3). Does nothing for another account.
 */
export async function auditRefusedSignIn(
  deps: Dependencies,
  account: AccountRow | undefined,
  action: keyof typeof entryLimits,
  ip: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  if (account?.role !== "admin") return;
  const key = action === "admin.sign-in-failed" ? networkOf(ip) : "all";
  if (!(await isAdmitted(deps.limits, entryLimits[action], key))) return;
  const subject = { type: "account", id: account.id };
  await recordAudit(deps.db, { id: null, email: "somebody", ip }, { at: deps.clock.now(), action, subject, details });
}

/** Writes an entry for a wrong password that was given in a session of the admin, as for one at the sign-in. */
export function auditWrongPassword(deps: Dependencies, account: AccountRow | undefined, ip: string): Promise<void> {
  return auditRefusedSignIn(deps, account, "admin.sign-in-failed", ip, { in: "session" });
}
