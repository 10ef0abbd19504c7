import type { Video } from "#domain/api/videos";
import type { Dependencies } from "../../dependencies.ts";
import type { Principal } from "../../platform/http/access.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf } from "../../platform/http/cursor.ts";
import * as queries from "./queries.ts";
import { videoView } from "./views.ts";

interface VideoPage {
  items: Video[];
  next_cursor: string | null;
}

/** Returns a page of the course in its order, as this viewer sees it (VIDEO-1, VIDEO-3). Throws `invalid_input` for a malformed cursor. */
export async function listVideos(
  deps: Dependencies,
  viewer: Principal,
  page: { limit?: number | undefined; cursor?: string | undefined },
): Promise<VideoPage> {
  const limit = page.limit ?? defaultPageSize;
  const after = page.cursor === undefined ? undefined : positionOf(page.cursor);
  const rows = await queries.findAll(deps.db, viewer.id, limit + 1, after);
  const { items, next_cursor } = pageOf(rows, limit, (row) => [row.module, String(row.order_index), row.id]);
  return { items: items.map((row) => videoView(row, viewer, deps.links)), next_cursor };
}

function positionOf(cursor: string): queries.ListPosition {
  const [module, orderIndex, id] = decodeCursor(cursor, [cursorKey.text, cursorKey.number, cursorKey.id]);
  return { module, orderIndex: Number(orderIndex), id };
}
