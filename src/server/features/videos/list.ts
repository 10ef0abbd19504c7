import type { Video } from "#domain/api/videos";
import type { SubscriptionStatus } from "#domain/packages";
import type { Dependencies } from "../../dependencies.ts";
import { seenAs, type Principal } from "../../platform/http/access.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf } from "../../platform/http/cursor.ts";
import * as queries from "./queries.ts";
import { videoView } from "./views.ts";

interface VideoPage {
  items: Video[];
  next_cursor: string | null;
}

/**
 * Returns a page of the course in its order, as this viewer sees it (VIDEO-1, VIDEO-3), or for the admin as a student of the tier `as` does who
 * has begun nothing (VIDEOS-5). Throws `invalid_input` for a malformed cursor, and `not_allowed` for a student who names a tier.
 */
export async function listVideos(
  deps: Dependencies,
  principal: Principal,
  page: { limit?: number | undefined; cursor?: string | undefined; as?: SubscriptionStatus | undefined },
): Promise<VideoPage> {
  const viewer = seenAs(principal, page.as);
  const limit = page.limit ?? defaultPageSize;
  const after = page.cursor === undefined ? undefined : positionOf(page.cursor);
  const rows = await queries.findAll(deps.db, page.as === undefined ? viewer.id : null, limit + 1, after);
  const { items, next_cursor } = pageOf(rows, limit, (row) => [row.module, String(row.order_index), row.id]);
  const videos = items.map((row) => videoView(row, viewer, deps.links));
  return { items: viewer.role === "admin" ? await withFilmNames(deps, videos) : videos, next_cursor };
}

/** Returns the videos with the names of their files, by which the admin recognises a film (VIDEOS-4). */
async function withFilmNames({ db }: Dependencies, videos: Video[]): Promise<Video[]> {
  const uploaded = videos.filter(({ source }) => source === "upload").map(({ id }) => id);
  if (uploaded.length === 0) return videos;
  const names = await queries.findFilmNames(db, uploaded);
  return videos.map((video) => {
    const film_filename = names.get(video.id);
    return film_filename === undefined ? video : { ...video, film_filename };
  });
}

function positionOf(cursor: string): queries.ListPosition {
  const [module, orderIndex, id] = decodeCursor(cursor, [cursorKey.text, cursorKey.number, cursorKey.id]);
  return { module, orderIndex: Number(orderIndex), id };
}
