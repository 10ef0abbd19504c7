import type { Video } from "#domain/api/course/videos";
import { minOrderIndex } from "#domain/video-access";
import { parseUrl } from "../../../platform/browsers/parse-url.ts";

/** What the fields of the form hold. */
export interface Draft {
  title: string;
  module: string;
  order_index: string;
  video_url: string;
  file: File | undefined;
}

/** Returns the number after the last one of a module. */
export function nextOrderIndex(videos: readonly Video[], module: string): number {
  const taken = videos.filter((video) => video.module === module.trim()).map(({ order_index }) => order_index);
  return Math.max(minOrderIndex - 1, ...taken) + 1;
}

/** Returns what a draft has in common with other videos, in sentences; nothing of it is refused (VIDEOS-4). */
export function duplicatesOf(draft: Draft, others: readonly Video[]): string[] {
  const neighbours = others.filter((video) => video.module === draft.module.trim());
  const address = addressOf(draft.video_url);
  return [
    ...naming("has this title in the same module", neighbours, (video) => folded(video.title) === folded(draft.title)),
    ...naming(
      "has this order index in the same module",
      neighbours,
      (video) => video.order_index === Number(draft.order_index),
    ),
    ...naming("has the same address", others, (video) => address !== "" && addressOf(video.video_url ?? "") === address),
    ...naming("has a film of the same file name", others, (video) => video.film_filename === draft.file?.name && !!draft.file),
  ];
}

/** One sentence about the first video that a test holds for. */
function naming(what: string, videos: readonly Video[], test: (video: Video) => boolean): string[] {
  const video = videos.find(test);
  return video ? [`“${video.title}” ${what}.`] : [];
}

const folded = (title: string): string => title.trim().toLowerCase();

/** The address as a browser writes it, so that two spellings of one compare equal. */
function addressOf(text: string): string {
  return parseUrl(text.trim())?.href ?? "";
}
