import { and, desc, eq, ilike, lt, sql, type SQL } from "drizzle-orm";
import type { AuditFilter } from "#domain/api/audit";
import type { Connection } from "../../platform/db/database.ts";
import { auditLog } from "../../platform/db/schema.ts";

export type AuditRow = typeof auditLog.$inferSelect;

/** As the index `audit_log_text` has it. */
const { actor_email, action, subject_type, subject_id, ip, details } = auditLog;
const wholeText = sql`(${actor_email} || ' ' || ${action} || ' ' || ${subject_type} || ' ' || ${subject_id} || ' ' || ${ip} || ' ' || ${details}::text)`;

/** Returns entries, newest first, older than the one with the id `before`. */
export function findAllEntries(
  connection: Connection,
  filter: AuditFilter,
  before: number | undefined,
  limit: number,
): Promise<AuditRow[]> {
  return connection
    .select()
    .from(auditLog)
    .where(
      and(
        filter.actor ? eq(actor_email, filter.actor) : undefined,
        filter.action ? eq(action, filter.action) : undefined,
        filter.subject ? eq(subject_id, filter.subject) : undefined,
        contains(filter.search ?? ""),
        before === undefined ? undefined : lt(auditLog.id, before),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

/**
 * Returns the condition that an entry contains each word of a text, in any letter case. Unlike the other lists it uses no function of
 * the site's schema: the index is maintained with the rights of the table's owner, which is the superuser (AUDIT-1).
 */
function contains(text: string): SQL | undefined {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return and(...words.map((word) => ilike(wholeText, `%${word.replace(/[\\%_]/g, "\\$&")}%`)));
}
