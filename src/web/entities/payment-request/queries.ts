import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { api } from "../../platform/api.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { readAll } from "../../platform/query/pages.ts";

function fetchMyRequests(): Promise<PaymentRequest[]> {
  return readAll((cursor) => api.paymentRequests.mine({ limit: 100, cursor }));
}

/** Milliseconds after which a destination is read again, like those of quotes, which end after 30 minutes. */
export const destinationRefetchMs = 25 * 60_000;

/** Beside the requests' own events, all quotes are ended where a destination is not to be used any more (GUARD-4). */
export const myRequestsOptions = queryOptions({
  queryKey: ["my-requests"],
  queryFn: fetchMyRequests,
  refetchInterval: destinationRefetchMs,
  meta: { staleAfter: ["payment-requests", "quotes"] },
});

/** Returns the student's own payment requests, newest first. */
export function useMyRequests(): UseQueryResult<PaymentRequest[]> {
  return useQuery(myRequestsOptions);
}

/** Reads the student's requests again, when the server knows of one that the page does not. */
export function refreshMyRequests(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: myRequestsOptions.queryKey });
}

async function fetchApprovalSeconds(): Promise<number | null> {
  const { typical_seconds } = await api.paymentRequests.approvalTime();
  return typical_seconds;
}

export const approvalSecondsOptions = queryOptions({ queryKey: ["approval-time"], queryFn: fetchApprovalSeconds });

/** Returns how many seconds approvals took lately; undefined while that is unknown, or after too few of them. */
export function useApprovalSeconds(): number | undefined {
  return useQuery(approvalSecondsOptions).data ?? undefined;
}
