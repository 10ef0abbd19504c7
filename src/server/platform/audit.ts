import { and, desc, eq } from "drizzle-orm";
import type { AuditEntry as AuditEntryView } from "#domain/api/audit";
import type { AuditAction, AuditEvent } from "#domain/audit/sentences";
import type { Connection } from "./db/database.ts";
import { preparedInsert } from "./db/prepared.ts";
import { auditLog } from "./db/schema.ts";

/** The account that acts, and its network address. */
export interface Actor {
  id: string | null;
  email: string;
  ip: string;
}

export interface AuditSubject {
  type: string;
  id: string;
}

/** What was changed as `before` and `after`, each a value or an object of fields, and whatever identifies it to a reader (AUDIT-3). */
export type AuditedChange = Record<string, unknown> & ({ before: unknown } | { after: unknown });

/** An action that changes values, whose entry has to have them. */
export type ChangeAction = Exclude<AuditAction, AuditEvent>;

export type AuditEntry = { at: Date; subject: AuditSubject } & (
  | { action: AuditEvent; details?: Record<string, unknown> }
  | { action: ChangeAction; details: AuditedChange }
);

/** A row that was added, changed or deleted. */
export type ChangedRow<Row> = { before: Row } | { before?: Row; after: Row };

const entryInsert = preparedInsert(auditLog, (rows) => rows.prepare("insert_audit_entry"));

/** Writes an entry of the audit log, in the transaction of the action. `details` must hold no secret and no code. */
export async function recordAudit(connection: Connection, actor: Actor, entry: AuditEntry): Promise<void> {
  await entryInsert(connection, [
    {
      at: entry.at,
      actor_id: actor.id,
      actor_email: actor.email,
      action: entry.action,
      subject_type: entry.subject.type,
      subject_id: entry.subject.id,
      details: composed(entry.details ?? {}),
      ip: actor.ip,
    },
  ]);
}

/** Returns what JSON keeps of an object, with the accents of its texts composed, as searches are (LIST-2). */
const composed = (details: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(details), (_name, value: unknown) =>
    typeof value === "string" ? value.normalize("NFC") : value,
  ) as Record<string, unknown>;

/** Returns what an entry says of a changed row, of each state the fields that `audited` picks. */
export function auditedRow<Row extends object>(row: ChangedRow<Row>, audited: (row: Row) => object): AuditedChange {
  if (!("after" in row)) return { before: audited(row.before) };
  return { ...(row.before && { before: audited(row.before) }), after: audited(row.after) };
}

/** Returns an entry as the admin reads it. */
export function auditEntryView(row: typeof auditLog.$inferSelect): AuditEntryView {
  const { id, at, actor_email, action, subject_type, subject_id, details, ip } = row;
  return { id, at: at.toISOString(), actor_email, action, subject_type, subject_id, details, ip };
}

/** Returns the newest entries about a subject, newest first. */
export function findAuditOf(connection: Connection, subject: AuditSubject, limit: number) {
  return connection
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subject_type, subject.type), eq(auditLog.subject_id, subject.id)))
    .orderBy(desc(auditLog.id))
    .limit(limit);
}
