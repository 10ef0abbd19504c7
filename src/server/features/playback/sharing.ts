import type { SharedAccount } from "#domain/api/course/playback";
import { sharingDays, unusualFrom } from "#domain/playback/sharing";
import type { Dependencies } from "../../dependencies.ts";
import { dayOf, secondsAfter } from "../../platform/clock.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf, type Page, type PageQuery } from "../../platform/http/cursor.ts";
import * as queries from "./queries.ts";
import { sharedAccountView } from "./views.ts";

/**
 * Returns a page of the students whose playing in the last 30 days is unusual for one person, the most unusual first (DEVICE-5).
 * Throws `invalid_input` for a malformed cursor.
 */
export async function listSharedAccounts(
  deps: Dependencies,
  { limit = defaultPageSize, cursor }: PageQuery,
): Promise<Page<SharedAccount>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, [cursorKey.number, cursorKey.id]);
  const rows = await queries.findAllUnusual(deps.db, {
    since: dayOf(secondsAfter(deps.clock.now(), -(sharingDays - 1) * 24 * 3600)),
    unusualFrom,
    after: after && { unusual: Number(after[0]), id: after[1] },
    limit: limit + 1,
  });
  const { items, next_cursor } = pageOf(rows, limit, (row) => [String(row.unusual), row.user_id]);
  return { items: items.map(sharedAccountView), next_cursor };
}
