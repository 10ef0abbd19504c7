import type { AuditFilter } from "#domain/api/audit";
import { auditSentence } from "#domain/audit/sentences";
import { inBatches, type CsvTable } from "../../platform/csv.ts";
import type { Connection } from "../../platform/db/database.ts";
import { findAllEntries, type AuditRow } from "./queries.ts";

/** Returns the audit log as a table, newest first (EXPORT-1). */
export function exportAudit(connection: Connection, filter: AuditFilter): CsvTable {
  return {
    columns: ["id", "at", "actor", "what_happened", "action", "subject_type", "subject_id", "network_address", "details"],
    batches: inBatches<AuditRow>(
      (last, limit) => findAllEntries(connection, filter, { before: last?.id, limit }),
      (row) => [
        row.id,
        row.at,
        row.actor_email,
        auditSentence(row),
        row.action,
        row.subject_type,
        row.subject_id,
        row.ip,
        JSON.stringify(row.details),
      ],
    ),
  };
}
