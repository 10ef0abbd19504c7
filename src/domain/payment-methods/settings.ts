import * as z from "zod/mini";
import { bitcoinSettings } from "./bitcoin/settings.ts";
import { ethereumSettings } from "./ethereum/settings.ts";
import { canonical, usdText } from "../money.ts";
import { alertField, type SettingsField } from "./settings-fields.ts";
import { thaiBankSettings } from "./thai-bank/settings.ts";

const settingsOfMethods = { bitcoin: bitcoinSettings, ethereum: ethereumSettings, thai_bank: thaiBankSettings };

/** Every field of the wallet settings, method by method. */
export const settingsFields = {
  ...bitcoinSettings,
  ...ethereumSettings,
  ...thaiBankSettings,
  alert_email: alertField("Alert email", "Changes of these settings are mailed to it too, with a link to undo them."),
};

type Fields = typeof settingsFields;
export type SettingsName = keyof Fields;
export const settingsNames = Object.keys(settingsFields) as SettingsName[];

/** The single row of `wallet_settings` (WALLET-1): prices are USD decimal strings, empty means not set up. */
export type WalletSettings = Record<SettingsName, string>;

/** The fields that hold a coin's price. */
export type PriceName = { [Name in SettingsName]: Fields[Name] extends { kind: "price" } ? Name : never }[SettingsName];
export const priceNames = settingsNames.filter((name): name is PriceName => settingsField(name).kind === "price");

/** The coins that the public price service is asked for. */
export type Coin = Fields[PriceName]["coin"];
export const coins = priceNames.map((name) => settingsFields[name].coin) as [Coin, ...Coin[]];

/** Returns the price field of a coin. */
export function priceFieldOf(coin: Coin): Fields[PriceName] {
  return settingsFields[priceNameOf(coin)];
}

/** Returns the name of a coin's price in the settings. */
export function priceNameOf(coin: Coin): PriceName {
  return priceNames.find((name) => settingsFields[name].coin === coin)!;
}

/** Returns one field by its name. */
export function settingsField(name: SettingsName): SettingsField {
  return settingsFields[name];
}

/** Returns the value of a field for people to read: the thousands of a price are separated (TEXT-3). */
export function settingText(name: SettingsName, value: string): string {
  return settingsField(name).kind === "price" ? usdText(value) : value;
}

/** What quotes are made from before the owner saves anything: fallback prices and no destination (QUOTE-5). */
export const defaultWalletSettings = mapSettings((name) => settingsField(name).initial);

/** Returns settings with a value for each field. */
export function mapSettings(valueOf: (name: SettingsName) => string): WalletSettings {
  return Object.fromEntries(settingsNames.map((name) => [name, valueOf(name)])) as WalletSettings;
}

/** Returns the fields that say where a method is paid. */
export function destinationFields(method: keyof typeof settingsOfMethods): SettingsName[] {
  return settingsNames.filter((name) => name in settingsOfMethods[method] && settingsField(name).isDestination);
}

/** Returns the fields that differ, as `isSameValue` compares them. */
export function changedFields(before: WalletSettings, after: WalletSettings): SettingsName[] {
  return settingsNames.filter((name) => !isSameValue(name, before[name], after[name]));
}

/** Returns whether two texts are the same value of a field, which may be written in another way: an address without its capitals, an account number with other dashes. */
export function isSameValue(name: SettingsName, one: string, other: string): boolean {
  return comparable(settingsField(name), one) === comparable(settingsField(name), other);
}

/** Returns the destination fields that differ. */
export function changedDestinations(before: WalletSettings, after: WalletSettings): SettingsName[] {
  return changedFields(before, after).filter((name) => settingsField(name).isDestination);
}

/** Returns whether a change of these fields needs the admin's password or a step-up: a destination or the alert address (WALLET-2). */
export function needsProof(changed: readonly SettingsName[]): boolean {
  return changed.some((name) => settingsField(name).isDestination || settingsField(name).kind === "alert");
}

/** The form in which a value is compared; what is not valid stays as it is. */
function comparable(field: SettingsField, text: string): string {
  const parsed = z.safeParse(field.input, text);
  if (!parsed.success) return text;
  if (field.kind === "price") return canonical(parsed.data);
  return field.kind === "account" && field.comparable ? field.comparable(parsed.data) : parsed.data;
}
