import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../../../platform/api.ts";
import { cursorPages } from "../../../platform/query/pages.ts";

export const couponsOptions = infiniteQueryOptions({
  queryKey: ["coupons"],
  ...cursorPages((cursor) => api.coupons.list({ cursor })),
  meta: { reportAs: "dashboard_load_failed" },
});

/** Returns the coupons, a page at a time. */
export const useCoupons = () => useInfiniteQuery(couponsOptions);
