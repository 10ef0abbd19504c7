import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../../../platform/api.ts";

export const guardedChangesOptions = queryOptions({
  queryKey: ["guarded-changes"],
  queryFn: () => api.guard.changes(),
  meta: { staleAfter: ["wallet-settings"], reportAs: "dashboard_load_failed" },
});

/** Returns the changes of where payments go of the last 72 hours, and the destinations that are not quoted yet. */
export const useGuardedChanges = () => useQuery(guardedChangesOptions);

/** Returns how many quotes are open, read anew each time. */
export const openQuotesOptions = queryOptions({
  queryKey: ["open-quotes"],
  queryFn: () => api.guard.openQuotes(),
  staleTime: 0,
  gcTime: 0,
});
