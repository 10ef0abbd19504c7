import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { PaymentRequestDetail } from "#domain/api/payment-requests";
import { api } from "../../../../platform/api.ts";

/** Below the key of the list, so that a decision refreshes both. */
export const paymentRequestOptions = (id: string) =>
  queryOptions({
    queryKey: ["payment-requests", id],
    queryFn: () => api.paymentRequests.get({ params: { id } }),
    meta: { staleAfter: ["profile", "payment-requests"] },
  });

/** Returns one payment request with its evidence, history and audit log; it follows every change. */
export function usePaymentRequest(id: string): UseQueryResult<PaymentRequestDetail> {
  return useQuery(paymentRequestOptions(id));
}

async function fetchScreenshotUrl(id: string): Promise<string> {
  const { url } = await api.paymentRequests.screenshot({ params: { id } });
  return url;
}

/** Returns a signed link to a screenshot. It is not renewed: the browser keeps the picture, and "Open in full" makes a link of its own. */
export function useScreenshotUrl(id: string): UseQueryResult<string> {
  return useQuery({ queryKey: ["screenshots", id], queryFn: () => fetchScreenshotUrl(id), staleTime: Infinity, gcTime: 0 });
}
