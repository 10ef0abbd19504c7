import { infiniteQueryOptions, useInfiniteQuery, useMutation, type UseMutationResult } from "@tanstack/react-query";
import type { OccurrenceChanges } from "#domain/api/course/live-sessions";
import { liveSessionsKey } from "../../../entities/live-session/queries.ts";
import { api } from "../../../platform/api.ts";
import { cursorPages } from "../../../platform/query/pages.ts";
import { queryClient } from "../../../platform/query/query-client.ts";

const plansOptions = infiniteQueryOptions({
  queryKey: [...liveSessionsKey, "plans"],
  ...cursorPages((cursor) => api.liveSessions.list({ cursor })),
  meta: { staleAfter: ["live-sessions"], reportAs: "dashboard_load_failed" },
});

/** Returns the sessions that are planned, newest first, a page at a time. */
export const useLiveSessions = () => useInfiniteQuery(plansOptions);

const occurrencesOptions = (when: "coming" | "past") =>
  infiniteQueryOptions({
    queryKey: [...liveSessionsKey, "occurrences", when],
    ...cursorPages((cursor) => api.liveSessions.occurrences({ when, cursor, limit: 10 })),
    meta: { staleAfter: ["live-sessions"], reportAs: "dashboard_load_failed" },
  });

/** Returns occurrences that have not ended, next first, or past ones, newest first, a page at a time. */
export const useOccurrences = (when: "coming" | "past") => useInfiniteQuery(occurrencesOptions(when));

/** Reads everything about live sessions again. */
export const refreshLiveSessions = (): Promise<void> => queryClient.invalidateQueries({ queryKey: liveSessionsKey });

/** Cancels, moves or records one occurrence. */
export function useChangeOccurrence(): UseMutationResult<unknown, Error, { id: string; changes: OccurrenceChanges }> {
  return useMutation({
    mutationFn: ({ id, changes }) => api.liveSessions.changeOccurrence({ params: { id }, body: changes }),
    onSuccess: refreshLiveSessions,
  });
}
