import { queryOptions, useMutation, useQuery, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";
import type { LessonProgress, SavedProgress, Video } from "#domain/api/course/videos";
import type { SubscriptionStatus } from "#domain/packages";
import { api } from "../../platform/api.ts";
import { readAll } from "../../platform/query/pages.ts";
import { replaceData } from "../../platform/query/replace-data.ts";
import { usePreviewTier } from "../session/preview.tsx";

function fetchVideos(tier: SubscriptionStatus | undefined): Promise<Video[]> {
  return readAll((cursor) => api.videos.list({ limit: 100, cursor, as: tier }));
}

/** The course as a student of a tier gets it (VIDEOS-5), or as the caller does. */
const videosAs = (tier: SubscriptionStatus | undefined) =>
  queryOptions({
    queryKey: tier === undefined ? ["videos"] : ["videos", tier],
    queryFn: () => fetchVideos(tier),
    // A new tier changes which videos can be played.
    meta: { staleAfter: ["videos", "profile", "progress"], reportAs: "dashboard_load_failed" },
  });

export const videosOptions = videosAs(undefined);

/** Returns every video of the course, ordered by module and order index. */
export function useVideos(): UseQueryResult<Video[]> {
  return useQuery(videosAs(usePreviewTier()));
}

/** The position in a film at an outside address is unknown. */
export const unknownPosition: SavedProgress = { position_seconds: 0, duration_seconds: 0 };

/** Saves where a lesson was left; the list has it at once. */
export async function saveProgress(id: string, body: SavedProgress): Promise<LessonProgress> {
  const saved = await api.videos.saveProgress({ params: { id }, body });
  replaceData<Video[]>({ queryKey: videosOptions.queryKey, exact: true }, (videos) =>
    videos.map((video) =>
      video.id === id ? { ...video, progress: { ...saved, watched_at: new Date().toISOString() } } : video,
    ),
  );
  return saved;
}

/** Marks a lesson as done or not done, where its viewer is now (PATH-4, WATCH-2). */
export function useMarkDone(id: string, position: () => SavedProgress): UseMutationResult<LessonProgress, Error, boolean> {
  return useMutation({ mutationFn: (done: boolean) => saveProgress(id, { ...position(), done }) });
}
