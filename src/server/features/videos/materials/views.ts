import type { Video } from "#domain/api/course/videos";
import type { LinkViewer, SignedLinks } from "../../../platform/storage/downloads/signed-links.ts";
import type { ListedVideo } from "../queries.ts";
import { captionsName } from "./captions.ts";
import { posterName } from "./poster.ts";

/** Returns what a lesson offers beside its film: the poster in any case, the rest where it is playable. */
export function materialsView(
  { poster_object_id, captions, attachments }: ListedVideo,
  playable: boolean,
  links: SignedLinks,
  viewer: LinkViewer,
): Pick<Video, "poster_url" | "captions" | "attachments"> {
  const poster_url =
    poster_object_id === null ? null : links.signForList("lesson-posters", posterName(poster_object_id), viewer);
  if (!playable) return { poster_url, captions: [], attachments: [] };
  return {
    poster_url,
    captions: (captions ?? []).map(({ language, label, object_id }) => ({
      language,
      label,
      url: links.signForList("lesson-captions", captionsName(object_id), viewer),
    })),
    attachments: attachments ?? [],
  };
}
