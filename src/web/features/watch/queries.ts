import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import type { LessonProgress, SavedProgress, Video } from "#domain/api/videos";
import { videosOptions } from "../../entities/video/queries.ts";
import { api } from "../../platform/api.ts";
import { queryClient } from "../../platform/query/query-client.ts";

/** Saves where a lesson was left; the list has it at once. */
export async function saveProgress(id: string, body: SavedProgress): Promise<LessonProgress> {
  const saved = await api.videos.saveProgress({ params: { id }, body });
  queryClient.setQueryData(videosOptions.queryKey, (videos: Video[] | undefined) =>
    videos?.map((video) =>
      video.id === id ? { ...video, progress: { ...saved, watched_at: new Date().toISOString() } } : video,
    ),
  );
  return saved;
}

/** Marks a lesson as done or not done, where its viewer is now (WATCH-2). */
export function useMarkDone(id: string, place: () => SavedProgress): UseMutationResult<LessonProgress, Error, boolean> {
  return useMutation({ mutationFn: (done: boolean) => saveProgress(id, { ...place(), done }) });
}
