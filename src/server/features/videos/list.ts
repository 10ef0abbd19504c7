import type { Video } from "#domain/api/course/videos";
import type { SubscriptionStatus } from "#domain/packages";
import type { Dependencies } from "../../dependencies.ts";
import { seenAs, type Principal } from "../../platform/http/access.ts";
import { cursorKey, decodeCursor, defaultPageSize, type Page, type PageQuery } from "../../platform/http/cursor.ts";
import { finishedReply } from "../../platform/http/replies/finished-reply.ts";
import { coursePage, type CoursePage } from "./course-pages.ts";
import * as queries from "./queries.ts";
import { videoView } from "./views.ts";

/**
 * Returns a page of the course in its order, as this viewer sees it (VIDEO-1, VIDEO-3), or for the admin as a student of the tier `as` does who
 * has begun nothing (VIDEOS-5). Throws `invalid_input` for a malformed cursor, and `not_allowed` for a student who names a tier.
 */
export async function listVideos(
  deps: Dependencies,
  principal: Principal,
  { limit = defaultPageSize, cursor, as }: PageQuery & { as?: SubscriptionStatus | undefined },
): Promise<Page<Video>> {
  const viewer = seenAs(principal, as);
  const after = cursor === undefined ? undefined : lastSeen(cursor);
  const { version, progress } = await queries.findViewed(deps.db, as === undefined ? viewer.id : null);
  const page = await coursePage(deps.db, version, limit, after);
  const shared = sharedTexts(deps, page, viewer);
  const texts = page.rows.map((row, index) => {
    const viewed = progress.get(row.id) ?? null;
    return viewed === null && shared[index] !== undefined
      ? shared[index]
      : JSON.stringify(videoView({ ...row, progress: viewed }, viewer, deps.links));
  });
  return finishedReply<Page<Video>>({ items: `[${texts.join(",")}]`, next_cursor: JSON.stringify(page.next_cursor) });
}

/** Returns the JSON of each video that is the same for everybody of the viewer's tier who has not begun it; a signed link never is. */
function sharedTexts({ links }: Dependencies, { rows, texts }: CoursePage, viewer: Principal): (string | undefined)[] {
  const tier = viewer.role === "admin" ? viewer.role : viewer.subscription_status;
  const known = texts.get(tier);
  if (known !== undefined) return known;
  const shared = rows.map((row) =>
    row.poster_object_id === null && row.captions === null
      ? JSON.stringify(videoView({ ...row, progress: null }, viewer, links))
      : undefined,
  );
  texts.set(tier, shared);
  return shared;
}

function lastSeen(cursor: string): queries.ListPosition {
  const [module, orderIndex, id] = decodeCursor(cursor, [cursorKey.text, cursorKey.number, cursorKey.id]);
  return { module, orderIndex: Number(orderIndex), id };
}
