import type { AuditEntry } from "#domain/api/audit";
import type { AuditRow } from "./queries.ts";

export function auditEntryView({ id, at, actor_email, action, subject_type, subject_id, details, ip }: AuditRow): AuditEntry {
  return { id, at: at.toISOString(), actor_email, action, subject_type, subject_id, details, ip };
}
