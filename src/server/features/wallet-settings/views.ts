import type { WalletSettings as WalletSettingsReply } from "#domain/api/payments/wallet-settings";
import { canonical } from "#domain/money";
import { defaultWalletSettings, mapSettings, settingsField, type WalletSettings } from "#domain/payment-methods/settings";
import type { WalletSettingsRow } from "./queries.ts";

/** The settings while none are saved (QUOTE-5). */
export const unsavedSettings = { ...defaultWalletSettings, is_sample: false, unique_amounts: false };

/** Returns the settings with prices in canonical decimal form. */
export function settingsOf(row: WalletSettingsRow): WalletSettings & { is_sample: boolean; unique_amounts: boolean } {
  const settings = mapSettings((name) => (settingsField(name).kind === "price" ? canonical(row[name]) : row[name]));
  return { ...settings, is_sample: row.is_sample, unique_amounts: row.unique_amounts };
}

export type StoredSettings = Omit<WalletSettingsReply, "prices_updated_at" | "bitcoin_addresses_unused">;

/** Returns the settings as the admin sees them (WALLET-1), without what other tables have. */
export function walletSettingsView(row: WalletSettingsRow): StoredSettings {
  return { ...settingsOf(row), updated_at: row.updated_at.toISOString() };
}
