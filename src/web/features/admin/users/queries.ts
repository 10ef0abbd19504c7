import { infiniteQueryOptions, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { ListedUser } from "#domain/api/users";
import { ProductError } from "#domain/errors/messages";
import type { SubscriptionStatus } from "#domain/packages";
import { api } from "../../../platform/api.ts";
import { accessToken } from "../../../platform/auth-client.ts";
import { cursorPages } from "../../../platform/query/pages.ts";
import { queryClient } from "../../../platform/query/query-client.ts";

async function fetchUsers(cursor: string | undefined): Promise<{ items: ListedUser[]; next_cursor: string | null }> {
  if ((await accessToken()) === undefined) throw new ProductError("no_session");
  const { users, next_cursor } = await api.users.list({ cursor });
  return { items: users, next_cursor };
}

export const usersOptions = infiniteQueryOptions({
  queryKey: ["users"],
  ...cursorPages(fetchUsers),
  meta: { staleAfter: ["profile"], reportAs: "users_fetch_failed" },
});

/** Returns the students, newest first, a page at a time. */
export const useUsers = () => useInfiniteQuery(usersOptions);

function setTier({ userId, tier }: { userId: string; tier: SubscriptionStatus }): Promise<unknown> {
  return api.users.setTier({ userId, newRole: tier });
}

/** Changes a student's tier; pending until the list is read again. */
export const useSetTier = () =>
  useMutation({
    mutationFn: setTier,
    onSuccess: () => queryClient.invalidateQueries(usersOptions),
    meta: { reportAs: "user_role_update_failed" },
  });

const sharingOptions = infiniteQueryOptions({
  queryKey: ["sharing"],
  ...cursorPages((cursor) => api.playback.sharing({ cursor })),
  // A student who is deleted leaves the list.
  meta: { staleAfter: ["profile"] },
});

/** Returns the students whose playing looks shared, the most unusual first, a page at a time. */
export const useSharing = () => useInfiniteQuery(sharingOptions);
