import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { fetchUser } from "../../entities/session/account-calls.ts";
import { refreshMe } from "../../entities/session/session.tsx";
import { api } from "../../platform/api.ts";
import { cursorPages } from "../../platform/query/pages.ts";
import { queryClient } from "../../platform/query/query-client.ts";

const userOptions = queryOptions({
  queryKey: ["user"],
  queryFn: fetchUser,
  meta: { staleAfter: ["profile"] },
});

/** Returns the account from the auth service. */
export const useUser = () => useQuery(userOptions);

/** Refetches the account wherever it is displayed. */
export async function refreshAccount(): Promise<void> {
  await Promise.all([refreshMe(), queryClient.invalidateQueries(userOptions), queryClient.invalidateQueries(sessionsOptions)]);
}

const sessionsOptions = infiniteQueryOptions({
  queryKey: ["sessions"],
  ...cursorPages((cursor) => api.account.sessions({ cursor })),
});

/** Returns the user's sessions, newest first, a page at a time. */
export const useSessions = () => useInfiniteQuery(sessionsOptions);

/** Ends one session, or all others. */
export const useEndSessions = () =>
  useMutation({
    mutationFn: (which: { id: string } | "others") =>
      which === "others" ? api.account.endOtherSessions({}) : api.account.endSession({ params: which }),
    onSettled: () => queryClient.invalidateQueries(sessionsOptions),
  });
