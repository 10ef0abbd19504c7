import type { News, NewsReach } from "#domain/api/course/news";
import { ProductError } from "#domain/errors/messages";
import { audiencesOf } from "#domain/news";
import type { SubscriptionStatus } from "#domain/packages";
import type { Dependencies } from "../../dependencies.ts";
import { seenAs, type Principal } from "../../platform/http/access.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf, type Page, type PageQuery } from "../../platform/http/cursor.ts";
import * as queries from "./queries.ts";
import { newsView } from "./views.ts";

/**
 * Returns a page of the announcements for the reader's tier, newest first (NEWS-2), or for the admin all of them, or as a student of the tier
 * `as` gets them (VIDEOS-5). New to a student is what was published since they signed up and they have not marked as read (NEWS-3). Throws
 * `invalid_input` for a malformed cursor, and `not_allowed` for a student who names a tier.
 */
export async function listNews(
  { db }: Dependencies,
  principal: Principal,
  { limit = defaultPageSize, cursor, as }: PageQuery & { as?: SubscriptionStatus | undefined },
): Promise<Page<News>> {
  const reader = seenAs(principal, as);
  const after = cursor === undefined ? undefined : lastSeen(cursor);
  const rows = await queries.findAllForReader(db, reader.id, audiencesOf(reader), { after, limit: limit + 1 });
  const { items, next_cursor } = pageOf(rows, limit, (row) => [row.published_at_exact, row.id]);
  return { items: items.map((row) => newsView(row, reader.role)), next_cursor };
}

function lastSeen(cursor: string): queries.NewsPage["after"] {
  const [publishedAt, id] = decodeCursor(cursor, [cursorKey.time, cursorKey.id]);
  return { publishedAt, id };
}

/** Marks an announcement as read by a student (NEWS-3); again changes nothing. Throws `news_not_found` also for another audience's. */
export async function markRead(deps: Dependencies, reader: Principal, id: string): Promise<void> {
  const isThere = await queries.insertRead(deps.db, id, reader.id, audiencesOf(reader), deps.clock.now());
  if (!isThere) throw new ProductError("news_not_found");
}

/** Returns how many students each audience has, and how many of them would get its news by mail (NEWS-4). */
export function newsReach({ db }: Dependencies): Promise<NewsReach> {
  return queries.countReach(db);
}
