import { sampleDestinationFields } from "./sample-destination.ts";
import {
  changedDestinations,
  defaultWalletSettings,
  mapSettings,
  settingsField,
  settingsNames,
  type SettingsName,
  type WalletSettings,
} from "./settings.ts";

/** What `npm run seed` sets. */
export const sampleWalletSettings: WalletSettings = { ...defaultWalletSettings, ...sampleDestinationFields };

/** Returns the destination fields that still have the sample's value (WALLET-7). */
export function sampleDestinations(settings: WalletSettings): SettingsName[] {
  const replaced = changedDestinations(sampleWalletSettings, settings);
  return settingsNames.filter(
    (name) => settingsField(name).isDestination && sampleWalletSettings[name] !== "" && !replaced.includes(name),
  );
}

/** Returns the settings with the sample's destinations emptied. */
export function withoutSample(settings: WalletSettings): WalletSettings {
  const samples = sampleDestinations(settings);
  return mapSettings((name) => (samples.includes(name) ? defaultWalletSettings[name] : settings[name]));
}
