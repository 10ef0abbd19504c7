import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../../../platform/api.ts";

async function fetchReasons(): Promise<string[]> {
  const { reasons } = await api.rejectionReasons.get();
  return reasons;
}

export const reasonsOptions = queryOptions({
  queryKey: ["rejection-reasons"],
  queryFn: fetchReasons,
  meta: { staleAfter: ["rejection-reasons"] },
});

/** Returns the saved reasons of a rejection, in the admin's order. */
export const useReasons = () => useQuery(reasonsOptions);
