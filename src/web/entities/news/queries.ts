import { infiniteQueryOptions, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { api } from "../../platform/api.ts";
import { cursorPages } from "../../platform/query/pages.ts";
import { queryClient } from "../../platform/query/query-client.ts";

const pageSize = 20;

/** How often the admin's list looks how far a mailing has come, in milliseconds. */
const mailingPollMs = 3000;

export const newsOptions = infiniteQueryOptions({
  queryKey: ["news"],
  ...cursorPages((cursor) => api.news.list({ cursor, limit: pageSize })),
  // A changed tier changes what there is to read.
  meta: { staleAfter: ["news", "profile"] },
  refetchInterval: ({ state }) => {
    const items = state.data?.pages.flatMap((page) => page.items) ?? [];
    return items.some(({ mailing }) => mailing !== null && mailing.finished_at === null) ? mailingPollMs : false;
  },
});

/** Returns the announcements for the caller, newest first, a page at a time. */
export const useNews = () => useInfiniteQuery(newsOptions);

/** Marks an announcement as read by the student. */
export const useMarkRead = () =>
  useMutation({
    mutationFn: (id: string) => api.news.see({ params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: newsOptions.queryKey }),
  });
