import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../../../../platform/api.ts";
import { cursorPages } from "../../../../platform/query/pages.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { usersKey } from "../queries.ts";

const userOptions = (id: string) =>
  queryOptions({
    queryKey: [...usersKey, "one", id],
    queryFn: () => api.users.get({ params: { id } }),
    meta: { staleAfter: ["profile", "payment-requests"] },
  });

/** Returns one student with all that is known of them; it follows every change. */
export const useUser = (id: string) => useQuery(userOptions(id));

const userAuditOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...usersKey, "audit", id],
    ...cursorPages((cursor) => api.users.audit({ params: { id }, query: { cursor } })),
    meta: { staleAfter: ["audit-log"], reportAs: "dashboard_load_failed" },
  });

/** Returns the audit log about one student, newest first, a page at a time. */
export const useUserAudit = (id: string) => useInfiniteQuery(userAuditOptions(id));

/** A change of a student; pending until all that displays students is read again. */
export function useUserChange<Values>(mutationFn: (values: Values) => Promise<unknown>) {
  return useMutation({
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: usersKey }),
    meta: { reportAs: "unexpected" },
  });
}
