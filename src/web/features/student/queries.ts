import { queryOptions, useMutation, useQuery, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";
import type { UpgradeOffer } from "#domain/api/payments/quotes";
import type { Video } from "#domain/api/course/videos";
import { usePreviewTier } from "../../entities/session/preview.tsx";
import { saveProgress, unknownPosition } from "../../entities/video/queries.ts";
import { api } from "../../platform/api.ts";
import { logError } from "../../platform/errors.ts";
import { openInNewTab } from "../../platform/new-tab.ts";

function fetchUpgradeOffer(): Promise<UpgradeOffer> {
  return api.quotes.upgradeOffer();
}

export const upgradeOfferOptions = queryOptions({
  queryKey: ["upgrade-offer"],
  queryFn: fetchUpgradeOffer,
  meta: { staleAfter: ["profile"] },
});

/** Returns what Advanced costs the student, without a coupon; nothing in a preview, which has no student. */
export function useUpgradeOffer(): UseQueryResult<UpgradeOffer> {
  return useQuery({ ...upgradeOfferOptions, enabled: usePreviewTier() === undefined });
}

/** Returns the page that plays a lesson: ours for an uploaded film (WATCH-4), else the outside address, asked for now. The demo has no films. */
async function findPage(id: string, video: Video | undefined): Promise<{ url: string }> {
  if (video?.source === "upload" && import.meta.env.MODE !== "demo") return { url: `/watch/${id}` };
  return api.videos.play({ params: { id } });
}

/** Opens a lesson in a new tab. One at an outside address counts as begun then (PATH-4). */
export function usePlay(video: Video | undefined): UseMutationResult<void> {
  const id = video?.id ?? "";
  return useMutation({
    mutationFn: () => openInNewTab(() => findPage(id, video)),
    // The film is open, and the student could do nothing about this error.
    onSuccess: () => video?.source === "url" && saveProgress(id, unknownPosition).catch(logError),
  });
}
