import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
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

/** A screenshot that the browser has loaded. */
export interface Picture {
  url: string;
  width: number;
  height: number;
}

/** Throws where the browser cannot display it. */
async function fetchPicture(id: string, part: string | undefined): Promise<Picture> {
  const { url } = await api.paymentRequests.screenshot({ params: { id }, query: { part } });
  const image = new Image();
  image.src = url;
  await image.decode();
  return { url, width: image.naturalWidth, height: image.naturalHeight };
}

/** Its link is not renewed: the browser keeps the picture, and "View screenshot" makes a link of its own. */
export const pictureOptions = (id: string, part?: string) =>
  queryOptions({ queryKey: ["screenshots", id, part], queryFn: () => fetchPicture(id, part), staleTime: Infinity });
