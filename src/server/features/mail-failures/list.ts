import type { MailFailure, WaitingMails } from "#domain/api/mail/mail-failures";
import type { Dependencies } from "../../dependencies.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf, type Page, type PageQuery } from "../../platform/http/cursor.ts";
import * as queries from "../../platform/mail/failure-queries.ts";
import { mailFailureView } from "./views.ts";

/**
 * Returns the mails that were given up, newest first, a page at a time, and how many wait for another try (MAIL-4). Throws
 * `invalid_input` for a malformed cursor.
 */
export async function listFailures(
  deps: Dependencies,
  { limit = defaultPageSize, cursor }: PageQuery,
): Promise<Page<MailFailure> & { waiting: WaitingMails | null }> {
  const after = cursor === undefined ? undefined : lastSeen(cursor);
  const rows = await queries.findAllGivenUp(deps.db, { after, limit: limit + 1 });
  const { items, next_cursor } = pageOf(rows, limit, (row) => [row.failed_at_exact, String(row.id)]);
  const { count, oldest_at, reason } = await queries.findWaiting(deps.db);
  const waiting = oldest_at === null ? null : { count, oldest_at: oldest_at.toISOString(), reason: reason ?? "" };
  return { items: items.map((row) => mailFailureView(row, deps.clock.now())), next_cursor, waiting };
}

function lastSeen(cursor: string): { failedAt: string; id: number } {
  const [failedAt, id] = decodeCursor(cursor, [cursorKey.time, cursorKey.number]);
  return { failedAt, id: Number(id) };
}
