import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../../platform/api.ts";

const reachOptions = queryOptions({
  queryKey: ["news-reach"],
  queryFn: () => api.news.reach(),
  // Students choose their mails at any time.
  staleTime: 0,
  meta: { reportAs: "dashboard_load_failed" },
});

/** Returns how many students each audience has, and how many of them want news by mail. */
export const useReach = () => useQuery(reachOptions);
