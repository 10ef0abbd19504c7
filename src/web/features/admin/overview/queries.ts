import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";

const statsOptions = queryOptions({
  queryKey: ["stats"],
  queryFn: () => api.overview.stats({}),
  // Ages grow, and no event reports a full disk.
  refetchInterval: 60_000,
  meta: { staleAfter: ["payment-requests", "profile", "wallet-settings"], pauseMs: 2000, reportAs: "dashboard_load_failed" },
});

/** Returns the figures of the shop over the last 90 days. */
export const useStats = () => useQuery(statsOptions);

/** Returns how many students have each tier. */
export const useTierCounts = () => useQuery({ ...statsOptions, select: ({ students }) => students });

const setupOptions = queryOptions({
  queryKey: ["setup"],
  queryFn: () => api.overview.setup(),
  meta: { staleAfter: ["videos", "wallet-settings"], pauseMs: 1000 },
});

/** Returns what a new shop still needs. */
export const useSetup = () => useQuery(setupOptions);

/** Dismisses the card for good. */
export const useCloseSetup = () =>
  useMutation({
    mutationFn: () => api.overview.closeSetup(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: setupOptions.queryKey }),
    meta: { reportAs: "unexpected" },
  });

const sampleCourseOptions = queryOptions({
  queryKey: ["sample-course"],
  queryFn: () => api.overview.sampleCourse(),
  meta: { staleAfter: ["videos", "live-sessions", "wallet-settings"], pauseMs: 1000 },
});

/** Returns what is left of the sample course. */
export const useSampleCourse = () => useQuery(sampleCourseOptions);

export const useRemoveSampleCourse = () =>
  useMutation({
    mutationFn: () => api.overview.removeSampleCourse(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sampleCourseOptions.queryKey }),
  });
