import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { userSorts, type ListedUser } from "#domain/api/users";
import { ProductError } from "#domain/errors/messages";
import { subscriptionStatuses, type SubscriptionStatus } from "#domain/packages";
import { api } from "../../../platform/api.ts";
import { accessToken } from "../../../platform/auth-client.ts";
import { cursorPages, replaceInPages, type Page } from "../../../platform/query/pages.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { choiceFilter, searchFilter } from "../list/use-list-filters.ts";

/** The filters of the list in its address. */
export const UserFilters = z.object({
  search: searchFilter,
  tier: choiceFilter(["all", ...subscriptionStatuses], "all"),
  sort: choiceFilter(userSorts, "newest"),
});
export type UserFilters = z.infer<typeof UserFilters>;

/** Every query of students is below this key, so that a change refreshes all. */
export const usersKey = ["users"] as const;
const listsKey = [...usersKey, "list"] as const;

async function fetchUsers({ search, tier, sort }: UserFilters, cursor: string | undefined): Promise<Page<ListedUser>> {
  if ((await accessToken()) === undefined) throw new ProductError("no_session");
  return api.users.search({ search: search || undefined, tier: tier === "all" ? undefined : tier, sort, cursor });
}

const usersOptions = (filters: UserFilters) =>
  infiniteQueryOptions({
    queryKey: [...listsKey, filters],
    ...cursorPages((cursor) => fetchUsers(filters, cursor)),
    placeholderData: keepPreviousData,
    meta: { staleAfter: ["profile"], reportAs: "users_fetch_failed" },
  });

/** Returns the students that the filters leave, a page at a time. */
export const useUsers = (filters: UserFilters) => useInfiniteQuery(usersOptions(filters));

export interface TierChange {
  userId: string;
  newRole: SubscriptionStatus;
  /** The tier that the change was decided on; another one by now is not overwritten. */
  expected: SubscriptionStatus;
  /** The number of the change that this one undoes. */
  undoes?: number;
}

/** Changes a student's tier. What is given is called after each change, also where another was begun before its reply. */
export const useSetTier = (after: {
  onSuccess: (change: TierChange, number: number) => void;
  onSettled: (change: TierChange) => void;
}) =>
  useMutation({
    mutationFn: (change: TierChange) => api.users.setTier(change),
    onSuccess: ({ user, change: number }, change) => {
      // A row that no longer passes the filter stays for a while, with its new tier (LIST-6).
      replaceInPages<ListedUser>(listsKey, (one) => one.id === user.id, user);
      after.onSuccess(change, number);
    },
    onSettled: (_reply, _error, change) => {
      // Not waited for: the reply is already in the lists, and the next choice must not be held up.
      void queryClient.invalidateQueries({ queryKey: usersKey });
      after.onSettled(change);
    },
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
