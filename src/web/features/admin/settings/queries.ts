import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { settingsFields, type PriceName } from "#domain/payment-methods/settings";
import { api } from "../../../platform/api.ts";

export const walletSettingsOptions = queryOptions({
  queryKey: ["wallet-settings"],
  queryFn: () => api.walletSettings.get(),
  meta: { staleAfter: ["wallet-settings"], reportAs: "dashboard_load_failed" },
});

export const useWalletSettings = () => useQuery(walletSettingsOptions);

/** Fetches a coin's price in USD from the public price service. */
export const useFetchPrice = (name: PriceName) => {
  const { coin, failed } = settingsFields[name];
  return useMutation({
    mutationFn: () => api.walletSettings.cryptoPrice({ params: { coin } }),
    meta: { reportAs: failed },
  });
};
