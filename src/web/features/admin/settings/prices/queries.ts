import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import type { Coin } from "#domain/payment-methods/settings";
import { api } from "../../../../platform/api.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { walletSettingsOptions } from "../queries.ts";

/** An event reports a price that a person changed, none a refreshed one: so they are read again every minute too. */
export const coinPricesOptions = queryOptions({
  queryKey: ["coin-prices"],
  queryFn: () => api.coinPrices.list(),
  refetchInterval: 60_000,
  meta: { staleAfter: ["wallet-settings"] },
});

export const useCoinPrices = () => useQuery(coinPricesOptions);

/** Takes both public prices where that is usual; the reply says what became of each. */
export const useFetchPrices = () => usePriceChange(() => api.coinPrices.fetch());

/** Sets a coin's price, or confirms an equal one. */
export const useSetPrice = (coin: Coin) =>
  usePriceChange((usd: string) => api.coinPrices.set({ params: { coin }, body: { usd } }));

function usePriceChange<Input, Result>(mutationFn: (input: Input) => Promise<Result>) {
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: coinPricesOptions.queryKey }),
        queryClient.invalidateQueries({ queryKey: walletSettingsOptions.queryKey }),
      ]),
  });
}
