import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../../../platform/api.ts";

export const walletSettingsOptions = queryOptions({
  queryKey: ["wallet-settings"],
  queryFn: () => api.walletSettings.get(),
  // A refetch must not replace what is being typed.
  refetchOnWindowFocus: false,
  meta: { reportAs: "dashboard_load_failed" },
});

export const useWalletSettings = () => useQuery(walletSettingsOptions);

export type Coin = "bitcoin" | "ethereum";

const failures = { bitcoin: "bitcoin_price_failed", ethereum: "ethereum_price_failed" } as const;

/** Fetches a coin's price in USD from the public price service. */
export const useFetchPrice = (coin: Coin) =>
  useMutation({
    mutationFn: () => api.walletSettings.cryptoPrice({ params: { coin } }),
    meta: { reportAs: failures[coin] },
  });
