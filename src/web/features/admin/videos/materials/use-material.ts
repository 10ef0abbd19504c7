import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import type { Video } from "#domain/api/course/videos";
import { videosOptions } from "../../../../entities/video/queries.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";

/** A change of a lesson's captions, attachments or poster; the list of videos follows. */
export function useMaterial<Input>(change: (input: Input) => Promise<Video>): UseMutationResult<Video, Error, Input> {
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: videosOptions.queryKey }),
  });
}
