import { useState, type SubmitEvent } from "react";
import * as z from "zod/mini";
import { WalletSettingsForm, type WalletSettings } from "#domain/api/payments/wallet-settings";
import {
  changedFields,
  mapSettings,
  needsProof,
  priceNameOf,
  type WalletSettings as WalletValues,
} from "#domain/payment-methods/settings";
import { api } from "../../../platform/api.ts";
import { productErrorOf } from "../../../platform/errors.ts";
import { useForm } from "../../../platform/form.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { changedValues } from "./changed-values.ts";
import { coinPricesOptions, useCoinPrices } from "./prices/queries.ts";
import { walletSettingsOptions } from "./queries.ts";
import { useFollowed } from "./use-followed.ts";

/** The form of the wallet settings, whose changes are confirmed before they are saved, some with the password (WALLET-6). */
export function useWalletForm(saved: WalletSettings) {
  const baseline = useBaseline(saved);
  const needsPassword = (values: WalletValues): boolean => needsProof(changedFields(pick(baseline), trimmed(values)));
  const [isConfirming, setConfirming] = useState(false);
  const [isPasswordMissing, setPasswordMissing] = useState(false);
  // Opened with a complete form, the list of changes has only its password to complete.
  const isComplete = (): boolean => z.safeParse(WalletSettingsForm, form.values).success;
  const form = useForm({
    initial: valuesOf(baseline),
    schema: WalletSettingsForm,
    mutationFn: ({ current_password, ...settings }) =>
      api.walletSettings.put({
        ...settings,
        ...(needsPassword(settings) ? { current_password } : {}),
        expected: { ...pick(baseline), unique_amounts: baseline.unique_amounts },
      }),
    onSuccess: (stored) => {
      setConfirming(false);
      queryClient.setQueryData(walletSettingsOptions.queryKey, stored);
      void queryClient.invalidateQueries({ queryKey: coinPricesOptions.queryKey });
      form.replaceValues(valuesOf(stored));
    },
    onError: (error) => {
      const { code } = productErrorOf(error);
      setConfirming((isOpen) => code === "password_confirmation_wrong" || (isOpen && !isComplete()));
      if (code === "wallet_settings_changed") void queryClient.invalidateQueries({ queryKey: walletSettingsOptions.queryKey });
    },
    fieldOfCode: { password_confirmation_wrong: "current_password" },
    // Its own event would empty the list of changes before the reply comes.
    holdsEvents: true,
  });
  useFollowed(valuesOf(baseline), form);
  const { values } = form;
  const changes = changedValues(baseline, { ...trimmed(values), unique_amounts: values.unique_amounts });
  return {
    form,
    changes,
    needsPassword: needsPassword(values),
    isPasswordMissing,
    isConfirming,
    onSubmit: (event: SubmitEvent<HTMLFormElement>): void => {
      if (changes.length === 0 || !isComplete()) return form.onSubmit(event);
      event.preventDefault();
      form.set({ current_password: "" });
      setPasswordMissing(false);
      setConfirming(true);
    },
    confirm: (event: SubmitEvent<HTMLFormElement>): void => {
      const isMissing = needsPassword(values) && values.current_password === "";
      setPasswordMissing(isMissing);
      if (!isMissing) return form.onSubmit(event);
      event.currentTarget.querySelector<HTMLElement>("[name=current_password]")?.focus();
    },
    cancel: (): void => setConfirming(false),
  };
}

/** The saved settings with the prices as they are now, which the form follows while they are refreshed. */
function useBaseline(saved: WalletSettings): WalletSettings {
  const prices = useCoinPrices().data?.items ?? [];
  // The two are read apart, and either may be the later: a price goes by when it was set.
  const later = prices.filter(({ coin, updated_at }) => (updated_at ?? "") > (saved.prices_updated_at[coin] ?? ""));
  return { ...saved, ...Object.fromEntries(later.map(({ coin, usd }) => [priceNameOf(coin), usd])) };
}

function valuesOf(settings: WalletSettings) {
  return { ...pick(settings), unique_amounts: settings.unique_amounts, current_password: "" };
}

function pick(settings: WalletValues): WalletValues {
  return mapSettings((name) => settings[name]);
}

function trimmed(values: WalletValues): WalletValues {
  return mapSettings((name) => values[name].trim());
}
