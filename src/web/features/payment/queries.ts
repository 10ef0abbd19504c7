import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { paymentMethod, type QuotedMethod } from "#domain/payment-methods/methods";
import type { LaunchOffer } from "#domain/payments/coupon";
import { transferOf } from "#domain/payments/transfer";
import { destinationRefetchMs } from "../../entities/payment-request/queries.ts";
import { api } from "../../platform/api.ts";

async function fetchLaunchOffer(): Promise<LaunchOffer | null> {
  const reply = await api.quotes.launchOffer();
  return reply.status === 200 ? reply.body : null;
}

export const launchOfferOptions = queryOptions({
  queryKey: ["launch-offer"],
  queryFn: fetchLaunchOffer,
  meta: { staleAfter: ["profile"] },
});

/** Returns the launch offer as it is for the student now; null when there is none. */
export function useLaunchOffer(): UseQueryResult<LaunchOffer | null> {
  return useQuery(launchOfferOptions);
}

/** Returns whether a quote was ended early; asked of each, which may end while it is on its way, and after an event that says so for some (GUARD-4, REOPEN-5). */
export function useIsVoid(quoteId: string | undefined): boolean {
  const { data } = useQuery({
    queryKey: ["quote-state", quoteId],
    queryFn: () => api.quotes.state({ params: { id: quoteId! } }),
    enabled: quoteId !== undefined,
    placeholderData: { is_void: false },
    staleTime: Infinity,
    refetchOnMount: "always",
    // An undone approval ends quotes with its credit.
    meta: { staleAfter: ["quotes", "payment-requests"] },
  });
  return data?.is_void === true;
}

/**
 * Returns where the rest of a rejected request is paid now: to the destination of the earlier quote that its student named, or to its own,
 * while that is current, otherwise as a fresh quote says (DECIDE-7). The amounts do not count.
 */
export function useCurrentDestination(request: PaymentRequest): UseQueryResult<QuotedMethod | null> {
  const { id, package_type, crypto_type } = request;
  const own = ownAddress(request);
  return useQuery({
    queryKey: ["current-destination", id, own],
    queryFn: async ({ client, queryKey }): Promise<CurrentDestination> => {
      if (own) return { method: own };
      // The next quote keeps the address that the last one has of its own (QUOTE-7).
      const replaces = client.getQueryData<CurrentDestination>(queryKey)?.quoteId;
      const { id: quoteId, methods } = await api.quotes.create({ package_type, replaces });
      return { quoteId, method: methods.find((method) => method.crypto_type === crypto_type && method.available) ?? null };
    },
    select: ({ method }) => method,
    refetchInterval: destinationRefetchMs,
    staleTime: destinationRefetchMs,
    meta: { staleAfter: ["quotes"] },
  });
}

interface CurrentDestination {
  /** Of a destination that only a quote has. */
  quoteId?: string;
  method: QuotedMethod | null;
}

/** The current address of a payment by coin, which may be the student's own; of a bank account only a quote has all that is displayed. */
function ownAddress({ paid_by_earlier_quote: earlier, ...request }: PaymentRequest): QuotedMethod | undefined {
  const transfer = transferOf(request);
  const current = [earlier, request].find((paid) => paid?.destination_current);
  const isAddress = transfer && paymentMethod(transfer.crypto_type).bank === undefined;
  if (!isAddress || !current?.wallet_address) return undefined;
  return { ...transfer, wallet_address: current.wallet_address, available: true };
}
