import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Receipt } from "#domain/api/payments/payment-requests";
import { api } from "../../platform/api.ts";

function fetchReceipt(id: string): Promise<Receipt> {
  return api.paymentRequests.receipt({ params: { id } });
}

export const receiptOptions = (id: string) =>
  queryOptions({
    queryKey: ["receipts", id],
    queryFn: () => fetchReceipt(id),
    meta: { staleAfter: ["payment-requests"] },
  });

/** Returns the receipt of an approved request of the student. */
export function useReceipt(id: string): UseQueryResult<Receipt> {
  return useQuery(receiptOptions(id));
}
