import { recordAudit, type Actor, type AuditedChange, type ChangeAction } from "../../../platform/audit.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { VideoRow } from "../queries.ts";

/** Writes a change of a lesson's materials to the audit log (ADMIN-4). */
export function auditMaterial(
  tx: Transaction,
  actor: Actor,
  at: Date,
  action: ChangeAction,
  { id, title }: VideoRow,
  change: AuditedChange,
): Promise<void> {
  return recordAudit(tx, actor, { at, action, subject: { type: "video", id }, details: { title, ...change } });
}
