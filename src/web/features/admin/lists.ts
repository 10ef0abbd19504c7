import { useInfiniteQuery, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Coupon } from "#domain/api/coupons";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import type { ListedUser } from "#domain/api/users";
import type { Video } from "#domain/api/videos";
import { ProductError, type ErrorCode } from "#domain/messages";
import { api } from "../../platform/api.ts";
import { accessToken } from "../../platform/auth-client.ts";
import { readAll } from "../../platform/pages.ts";
import { queryKeys } from "../../platform/query-client.ts";
import type { ReportError } from "./error-reporter.ts";

/** A list that grows by a page at a time. */
export interface GrowingList<Row> {
  rows: Row[];
  isPending: boolean;
  /** There are no rows because they could not be read. */
  hasFailed: boolean;
  retry: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  showMore: () => void;
}

interface ListPage<Row> {
  items: Row[];
  next_cursor: string | null;
}

function useGrowingList<Row>(
  key: readonly string[],
  read: (cursor: string | undefined) => Promise<ListPage<Row>>,
  report: ReportError,
  fallback: ErrorCode,
): GrowingList<Row> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  useReport(query.error, report, fallback);
  return {
    rows: query.data?.pages.flatMap(({ items }) => items) ?? [],
    isPending: query.isPending,
    hasFailed: query.isLoadingError,
    retry: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    showMore: () => void query.fetchNextPage(),
  };
}

function useReport(error: Error | null, report: ReportError, fallback: ErrorCode): void {
  useEffect(() => {
    if (error) report(error, fallback);
  }, [error, report, fallback]);
}

export function useUsers(report: ReportError): GrowingList<ListedUser> {
  return useGrowingList(
    queryKeys.users,
    async (cursor) => {
      if ((await accessToken()) === undefined) throw new ProductError("no_session");
      const { users, next_cursor } = await api.users.list({ cursor });
      return { items: users, next_cursor };
    },
    report,
    "users_fetch_failed",
  );
}

export function usePaymentRequests(report: ReportError): GrowingList<ReviewedPaymentRequest> {
  return useGrowingList(
    queryKeys.paymentRequests,
    (cursor) => api.paymentRequests.list({ cursor }),
    report,
    "dashboard_load_failed",
  );
}

export function useCoupons(report: ReportError): GrowingList<Coupon> {
  return useGrowingList(queryKeys.coupons, (cursor) => api.coupons.list({ cursor }), report, "dashboard_load_failed");
}

export function useVideos(report: ReportError): UseQueryResult<Video[]> {
  const query = useQuery({
    queryKey: queryKeys.videos,
    queryFn: () => readAll((cursor) => api.videos.list({ limit: 100, cursor })),
  });
  useReport(query.error, report, "dashboard_load_failed");
  return query;
}
