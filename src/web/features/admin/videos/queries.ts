import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { VideoStatistics } from "#domain/api/statistics";
import { api } from "../../../platform/api.ts";
import { cursorPages } from "../../../platform/query/pages.ts";

async function fetchStatistics(): Promise<Map<string, VideoStatistics>> {
  const { videos } = await api.statistics.videos();
  return new Map(videos.map((video) => [video.video_id, video]));
}

const statisticsOptions = queryOptions({ queryKey: ["video-statistics"], queryFn: fetchStatistics });

/** Returns how each video that was begun is watched, by its id. */
export function useStatistics(): UseQueryResult<Map<string, VideoStatistics>> {
  return useQuery(statisticsOptions);
}

const notBegunOptions = infiniteQueryOptions({
  queryKey: ["not-begun"],
  ...cursorPages((cursor) => api.statistics.notBegun({ cursor })),
});

/** Returns the students who have not begun, a page at a time. */
export const useNotBegun = () => useInfiniteQuery(notBegunOptions);
