import { queryOptions, useMutation, useQuery, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";
import type { UpgradeOffer } from "#domain/api/quotes";
import { api } from "../../platform/api.ts";
import { openInNewTab } from "../../platform/new-tab.ts";

function fetchUpgradeOffer(): Promise<UpgradeOffer> {
  return api.quotes.upgradeOffer();
}

export const upgradeOfferOptions = queryOptions({
  queryKey: ["upgrade-offer"],
  queryFn: fetchUpgradeOffer,
  meta: { staleAfter: ["profile"] },
});

/** Returns what Advanced costs the student, without a coupon. */
export function useUpgradeOffer(): UseQueryResult<UpgradeOffer> {
  return useQuery(upgradeOfferOptions);
}

/** Opens a film, by a link made for this click, in a new tab. */
export function usePlay(id: string): UseMutationResult<void> {
  return useMutation({ mutationFn: () => openInNewTab(() => api.videos.play({ params: { id } })) });
}
