import type { Video } from "#domain/api/videos";
import { canPlay } from "#domain/video-access";
import type { Principal } from "../../platform/http/access.ts";
import type { SignedLinks } from "../../platform/storage/downloads/signed-links.ts";
import { materialsView } from "./materials/views.ts";
import type { ListedVideo } from "./queries.ts";

/** Returns a video as one viewer sees it: a locked one without its outside address (VIDEO-1), playability for the admin (VIDEO-6). */
export function videoView(row: ListedVideo, viewer: Principal, links: SignedLinks): Video {
  const playable = canPlay(viewer, row.package_type);
  const video: Video = {
    id: row.id,
    title: row.title,
    description: row.description,
    module: row.module,
    module_order: row.module_order,
    order_index: row.order_index,
    package_type: row.package_type,
    source: row.video_url === null ? "upload" : "url",
    playable,
    duration_seconds: row.duration_seconds,
    progress: progressView(row),
    ...materialsView(row, playable, links, viewer),
  };
  if (viewer.role === "admin" && row.video_url === null) video.playability = row.playability;
  if (playable && row.video_url !== null) video.video_url = row.video_url;
  return video;
}

function progressView({ position_seconds, done, watched_at }: ListedVideo): Video["progress"] {
  // The three are null together.
  if (position_seconds === null || done === null || watched_at === null) return null;
  return { position_seconds, done, watched_at };
}
