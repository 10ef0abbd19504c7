import { infiniteQueryOptions, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { SubscriptionStatus } from "#domain/packages";
import { api } from "../../platform/api.ts";
import { cursorPages } from "../../platform/query/pages.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { usePreviewTier } from "../session/preview.tsx";

const pageSize = 20;

/** How often the admin's list looks how far a mailing has come, in milliseconds. */
const mailingPollMs = 3000;

const newsAs = (tier: SubscriptionStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: tier === undefined ? ["news"] : ["news", tier],
    ...cursorPages((cursor) => api.news.list({ cursor, limit: pageSize, as: tier })),
    // A changed tier changes what there is to read.
    meta: { staleAfter: ["news", "profile"] },
    refetchInterval: ({ state }) => {
      const items = state.data?.pages.flatMap((page) => page.items) ?? [];
      return items.some(({ mailing }) => mailing !== null && mailing.finished_at === null) ? mailingPollMs : false;
    },
  });

export const newsOptions = newsAs(undefined);

/** Returns the announcements for the caller, newest first, a page at a time. */
export const useNews = () => useInfiniteQuery(newsAs(usePreviewTier()));

/** Marks an announcement as read by the student. */
export const useMarkRead = () =>
  useMutation({
    mutationFn: (id: string) => api.news.see({ params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: newsOptions.queryKey }),
  });
