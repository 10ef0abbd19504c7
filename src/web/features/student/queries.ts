import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { UpgradeOffer } from "#domain/api/quotes";
import { api } from "../../platform/api.ts";

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
