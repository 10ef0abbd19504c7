import type { UserDetail } from "#domain/api/users";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { auditEntryView } from "../../platform/audit.ts";
import { maxPageSize } from "../../platform/http/cursor.ts";
import { isSignInSlowed, listSessionsOf } from "../auth/service.ts";
import { listOwnPaymentRequests } from "../payment-requests/service.ts";
import { summariseProgress } from "../videos/service.ts";
import * as queries from "./queries.ts";
import { noteView, userView } from "./views.ts";

const mostAuditEntries = 50;

/**
 * Returns one student with payment requests, sessions, progress, notes and audit log (USER-4). Throws `user_not_found`, also for the admin's own
 * account.
 */
export async function findUser(deps: Dependencies, id: string): Promise<UserDetail> {
  const row = await queries.findById(deps.db, id);
  if (!row || row.role === "admin") throw new ProductError("user_not_found");
  const [requests, sessions, progress, notes, audit, sign_in_slowed] = await Promise.all([
    listOwnPaymentRequests(deps, id, { limit: maxPageSize }),
    listSessionsOf(deps, id, maxPageSize),
    summariseProgress(deps, row),
    queries.findAllNotes(deps.db, id),
    queries.findAllAudit(deps.db, id, mostAuditEntries),
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
