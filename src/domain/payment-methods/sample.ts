import { paymentMethod, type QuotedMethod } from "./methods.ts";
import {
  changedDestinations,
  defaultWalletSettings,
  mapSettings,
  settingsField,
  settingsNames,
  type SettingsName,
  type WalletSettings,
} from "./settings.ts";

/**
 * What `npm run seed` sets: addresses from the examples in BIP 173 and EIP-55, and a bank that does not exist. They are valid in form, but
 * nobody must pay to them.
 */
export const sampleWalletSettings: WalletSettings = {
  ...defaultWalletSettings,
  bitcoin_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  ethereum_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  thai_bank_name: "Sample Bank of Thailand",
  thai_bank_account_number: "000-0-00000-0",
  thai_bank_account_name: "Sample account, do not pay",
  promptpay_id: "0000000000",
};

/** Returns the destination fields that still have the sample's value (WALLET-7). */
export function sampleDestinations(settings: WalletSettings): SettingsName[] {
  const replaced = changedDestinations(sampleWalletSettings, settings);
  return settingsNames.filter(
    (name) => settingsField(name).isDestination && sampleWalletSettings[name] !== "" && !replaced.includes(name),
  );
}

/** Returns whether a payment goes to the sample's destination (WALLET-7). */
export function isSampleDestination({ crypto_type, wallet_address }: SampledMethod): boolean {
  return wallet_address === paymentMethod(crypto_type).destination(sampleWalletSettings);
}

type SampledMethod = Pick<QuotedMethod, "crypto_type" | "wallet_address">;

/** Returns the settings with the sample's destinations emptied. */
export function withoutSample(settings: WalletSettings): WalletSettings {
  const samples = sampleDestinations(settings);
  return mapSettings((name) => (samples.includes(name) ? defaultWalletSettings[name] : settings[name]));
}
