import type { Video } from "#domain/api/course/videos";
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
  if (viewer.role === "admin" && row.video_url === null) {
    video.playability = row.playability;
    // By this the admin recognises a film (VIDEOS-4).
    if (row.film_filename !== null) video.film_filename = row.film_filename;
  }
  if (playable && row.video_url !== null) video.video_url = row.video_url;
  return video;
}

/** The position is 0 where the film is not longer, since it may have replaced a longer one: it plays from there (WATCH-3). */
function progressView({ progress, duration_seconds }: ListedVideo): ListedVideo["progress"] {
  const isPastEnd = progress !== null && duration_seconds !== null && duration_seconds <= progress.position_seconds;
  return isPastEnd ? { ...progress, position_seconds: 0 } : progress;
}
