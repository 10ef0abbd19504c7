import type { AuditEntry } from "#domain/api/audit";
import type { UserDetail } from "#domain/api/users";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { auditEntryView } from "../../platform/audit.ts";
import {
  cursorKey,
  decodeCursor,
  defaultPageSize,
  maxPageSize,
  pageOf,
  type Page,
  type PageQuery,
} from "../../platform/http/cursor.ts";
import { isSignInSlowed, listSessionsOf } from "../auth/service.ts";
import { listOwnPaymentRequests } from "../payment-requests/service.ts";
import { summariseProgress } from "../videos/service.ts";
import * as queries from "./queries.ts";
import { noteView, userView } from "./views.ts";

/**
 * Returns one student with payment requests, sessions, progress, notes and audit log (USER-4). Throws `user_not_found`, also for the admin's own
 * account.
 */
export async function findUser(deps: Dependencies, id: string): Promise<UserDetail> {
  const row = await findStudent(deps, id);
  const [requests, sessions, progress, notes, audit, sign_in_slowed] = await Promise.all([
    listOwnPaymentRequests(deps, id, { limit: maxPageSize }),
    listSessionsOf(deps, id, maxPageSize),
    summariseProgress(deps, row),
    queries.findAllNotes(deps.db, id),
    queries.findAllAudit(deps.db, id, { limit: defaultPageSize }),
    isSignInSlowed(deps, row.email),
  ]);
  return {
    ...userView(row),
    requests: requests.items,
    sessions,
    progress,
    notes: notes.map(noteView),
    audit: audit.map(auditEntryView),
    sign_in_slowed,
  };
}

/**
 * Returns a page of the audit log about a student and the student's payment requests, newest first (USER-4). Throws `user_not_found` as `findUser`,
 * and `invalid_input` for a malformed cursor.
 */
export async function listAuditOfUser(
  deps: Dependencies,
  id: string,
  { limit = defaultPageSize, cursor }: PageQuery,
): Promise<Page<AuditEntry>> {
  const after = cursor === undefined ? {} : { before: Number(decodeCursor(cursor, [cursorKey.number])[0]) };
  await findStudent(deps, id);
  const rows = await queries.findAllAudit(deps.db, id, { ...after, limit: limit + 1 });
  const page = pageOf(rows, limit, (row) => [String(row.id)]);
  return { ...page, items: page.items.map(auditEntryView) };
}

async function findStudent(deps: Dependencies, id: string): Promise<queries.UserRow> {
  const row = await queries.findById(deps.db, id);
  if (!row || row.role === "admin") throw new ProductError("user_not_found");
  return row;
}
