import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Video } from "#domain/api/videos";
import { api } from "../../platform/api.ts";
import { readAll } from "../../platform/query/pages.ts";

function fetchVideos(): Promise<Video[]> {
  return readAll((cursor) => api.videos.list({ limit: 100, cursor }));
}

export const videosOptions = queryOptions({
  queryKey: ["videos"],
  queryFn: fetchVideos,
  // A new tier changes which videos can be played.
  meta: { staleAfter: ["videos", "profile", "progress"], reportAs: "dashboard_load_failed" },
});

/** Returns every video of the course, ordered by module and order index. */
export function useVideos(): UseQueryResult<Video[]> {
  return useQuery(videosOptions);
}
