import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { PaymentRequest, Receipt } from "#domain/api/payment-requests";
import { api } from "../../platform/api.ts";
import { readAll } from "../../platform/pages.ts";
import { queryKeys } from "../../platform/query-client.ts";

/** The student's own payment requests, newest first; an event of the server brings the next state. */
export function useMyRequests(): UseQueryResult<PaymentRequest[]> {
  return useQuery({
    queryKey: queryKeys.myRequests,
    queryFn: () => readAll((cursor) => api.paymentRequests.mine({ limit: 100, cursor })),
  });
}

/** The receipt of an approved request of one's own. */
export function useReceipt(id: string): UseQueryResult<Receipt> {
  return useQuery({
    queryKey: [...queryKeys.receipts, id],
    queryFn: () => api.paymentRequests.receipt({ params: { id } }),
  });
}

/** Seconds that approvals took lately; undefined while that is not known, or after too few of them to say. */
export function useApprovalSeconds(): number | undefined {
  const { data } = useQuery({ queryKey: queryKeys.approvalTime, queryFn: () => api.paymentRequests.approvalTime() });
  return data?.typical_seconds ?? undefined;
}
