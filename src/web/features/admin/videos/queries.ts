import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  type UseQueryResult,
} from "@tanstack/react-query";
import type { VideoStatistics } from "#domain/api/statistics";
import { videosOptions } from "../../../entities/video/queries.ts";
import { api } from "../../../platform/api.ts";
import { cursorPages } from "../../../platform/query/pages.ts";
import { queryClient } from "../../../platform/query/query-client.ts";

/** A new order of the modules, or of the videos in one. */
type NewOrder = { modules: string[]; module?: never } | { module: string; ids: string[] };

function saveOrder(order: NewOrder): Promise<unknown> {
  if (order.module === undefined) return api.modules.order({ modules: order.modules });
  return api.modules.orderVideos({ params: { module: order.module }, body: { ids: order.ids } });
}

/** Saves an order of the course (PATH-1); pending until the list is read again, which it also is after a refusal. */
export const useSaveOrder = () =>
  useMutation({
    mutationFn: saveOrder,
    onSettled: () => queryClient.invalidateQueries({ queryKey: videosOptions.queryKey }),
    meta: { reportAs: "unexpected" },
  });

/** Returns a list with the item at one place moved to another. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...items.slice(from, from + 1));
}

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
