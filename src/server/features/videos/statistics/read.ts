import type { StudentNotBegun, VideoStatistics } from "#domain/api/statistics";
import { notBegunAfterDays } from "#domain/watch/statistics";
import type { Dependencies } from "../../../dependencies.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf, type Page, type PageQuery } from "../../../platform/http/cursor.ts";
import * as queries from "./queries.ts";
import { notBegunView, statisticsViews } from "./views.ts";

const daySeconds = 24 * 3600;

/** Returns how each video that was begun is watched (PATH-5). The admin's own watching does not count. */
export async function readStatistics(deps: Dependencies): Promise<VideoStatistics[]> {
  return statisticsViews(await queries.countByPart(deps.db));
}

/**
 * Returns a page of students whose first approval is a week old or more, who still have a package, and who have begun nothing, the newest
 * approval first (PATH-6). Throws `invalid_input` for a malformed cursor.
 */
export async function listNotBegun(
  deps: Dependencies,
  { limit = defaultPageSize, cursor }: PageQuery,
): Promise<Page<StudentNotBegun>> {
  const now = deps.clock.now();
  const approvedBy = secondsAfter(now, -notBegunAfterDays * daySeconds);
  const after = cursor === undefined ? undefined : lastSeen(cursor);
  const rows = await queries.findAllNotBegun(deps.db, { approvedBy, after, limit: limit + 1 });
  const { items, next_cursor } = pageOf(rows, limit, (row) => [row.approved_at_exact, row.id]);
  return { items: items.map((row) => notBegunView(row, now)), next_cursor };
}

function lastSeen(cursor: string): { approvedAt: string; id: string } {
  const [approvedAt, id] = decodeCursor(cursor, [cursorKey.time, cursorKey.id]);
  return { approvedAt, id };
}
