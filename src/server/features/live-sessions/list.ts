import type { LiveOccurrence, LiveSession, OccurrenceList } from "#domain/api/course/live-sessions";
import type { SubscriptionStatus } from "#domain/packages";
import type { Viewer } from "#domain/video-access";
import type { Dependencies } from "../../dependencies.ts";
import { seenAs, type Principal } from "../../platform/http/access.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf, type Page, type PageQuery } from "../../platform/http/cursor.ts";
import * as queries from "./queries.ts";
import { liveSessionView, occurrenceView } from "./views.ts";

/** Returns a page of all sessions, newest first, as this viewer sees them. Throws `invalid_input` for a malformed cursor. */
export async function listLiveSessions(
  deps: Dependencies,
  viewer: Viewer,
  { limit = defaultPageSize, cursor }: PageQuery,
): Promise<Page<LiveSession>> {
  const after = cursor === undefined ? undefined : lastSeen(cursor);
  const rows = await queries.findAllSessions(deps.db, deps.clock.now(), limit + 1, after);
  const page = pageOf(rows, limit, (row) => [row.created_at_exact, row.id]);
  return { ...page, items: page.items.map((row) => liveSessionView(row, viewer)) };
}

/**
 * Returns a page of occurrences: those that have not ended, the next first, or past or recorded ones, newest first; and the time, for browsers
 * with a wrong clock. The admin gets them as a student of the tier `as` does, if it is given (VIDEOS-5). Throws `invalid_input` for a
 * malformed cursor, and `not_allowed` for a student who names a tier.
 */
export async function listOccurrences(
  deps: Dependencies,
  principal: Principal,
  { limit = defaultPageSize, cursor, when, as }: PageQuery & { when: OccurrenceList; as?: SubscriptionStatus | undefined },
): Promise<Page<LiveOccurrence> & { now: string }> {
  const viewer = seenAs(principal, as);
  const now = deps.clock.now();
  const after = cursor === undefined ? undefined : lastSeen(cursor);
  const rows = await queries.findAllOccurrences(deps.db, when, now, limit + 1, after);
  const page = pageOf(rows, limit, (row) => [row.starts_at_exact, row.id]);
  return { ...page, items: page.items.map((row) => occurrenceView(row, viewer)), now: now.toISOString() };
}

function lastSeen(cursor: string): queries.ListPosition {
  const [time, id] = decodeCursor(cursor, [cursorKey.time, cursorKey.id]);
  return { time, id };
}
