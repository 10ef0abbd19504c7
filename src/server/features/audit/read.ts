import type { AuditEntry, AuditFilter } from "#domain/api/audit";
import type { Dependencies } from "../../dependencies.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf, type Page, type PageQuery } from "../../platform/http/cursor.ts";
import { auditEntryView } from "../../platform/audit.ts";
import { findAllEntries } from "./queries.ts";

/** Returns a page of the audit log, newest first (AUDIT-4). Throws `invalid_input` for a malformed cursor. */
export async function listAudit(
  deps: Dependencies,
  { limit = defaultPageSize, cursor, ...filter }: AuditFilter & PageQuery,
): Promise<Page<AuditEntry>> {
  const before = cursor === undefined ? undefined : Number(decodeCursor(cursor, [cursorKey.number])[0]);
  const rows = await findAllEntries(deps.db, filter, { before, limit: limit + 1 });
  const page = pageOf(rows, limit, (row) => [String(row.id)]);
  return { ...page, items: page.items.map(auditEntryView) };
}
