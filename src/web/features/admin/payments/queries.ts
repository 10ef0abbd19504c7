import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { ProductError } from "#domain/errors/messages";
import { api } from "../../../platform/api.ts";
import { cursorPages } from "../../../platform/query/pages.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { reportError } from "../../../platform/query/reported-error.ts";
import { usersKey } from "../users/queries.ts";

export const paymentRequestsOptions = infiniteQueryOptions({
  queryKey: ["payment-requests"],
  ...cursorPages((cursor) => api.paymentRequests.list({ cursor })),
  meta: { staleAfter: ["profile", "payment-requests"], reportAs: "dashboard_load_failed" },
});

/** Returns every student's payment requests, newest first, a page at a time. */
export const usePaymentRequests = () => useInfiniteQuery(paymentRequestsOptions);

/** Reads both lists again, because an approval changes a request and a tier. */
export async function refreshAfterDecision(): Promise<void> {
  const changed = [paymentRequestsOptions.queryKey, usersKey];
  await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

interface Approval {
  id: string;
  confirmDowngrade: boolean;
}

function approve({ id, confirmDowngrade }: Approval): Promise<unknown> {
  return api.paymentRequests.approve({ params: { id }, body: confirmDowngrade ? { confirm_downgrade: true } : {} });
}

/** Whether an approval was refused until the admin confirms that it lowers the student's tier. */
export function isDowngradeUnconfirmed(error: Error | null): boolean {
  return error instanceof ProductError && error.code === "downgrade_unconfirmed";
}

/** Approves a request. Errors are reported, except `downgrade_unconfirmed`, which is a question to the admin. */
export const useApprove = () =>
  useMutation({
    mutationFn: approve,
    onSuccess: refreshAfterDecision,
    onError: (error) => {
      if (isDowngradeUnconfirmed(error)) return;
      reportError(error, "unexpected");
      // It may have been decided in another window.
      return refreshAfterDecision();
    },
  });

export const pendingAddress = "/admin?tab=payments&status=pending";

const countsOptions = queryOptions({
  queryKey: ["payment-request-counts"],
  queryFn: () => api.paymentRequests.counts(),
  meta: { staleAfter: ["payment-requests"], pauseMs: 1000, reportAs: "dashboard_load_failed" },
});

/** Returns how many requests have each status. */
export const usePaymentCounts = () => useQuery(countsOptions);
