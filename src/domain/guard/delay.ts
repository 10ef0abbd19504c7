import { cryptoTypes, paymentMethod, type CryptoType } from "../payment-methods/methods.ts";
import {
  changedDestinations,
  destinationFields,
  settingsField,
  type SettingsName,
  type WalletSettings,
} from "../payment-methods/settings.ts";
import { valueBefore, type RecordedChange } from "./changes.ts";

/** The destination fields by which a method is quoted until a time (ISO 8601 UTC), while the saved ones wait. */
export interface HeldDestination {
  until: string;
  values: Partial<WalletSettings>;
}

/** A method has an entry once its destination has ever been changed or removed. */
export type HeldDestinations = Partial<Record<CryptoType, HeldDestination>>;

interface StoredSettings {
  saved: WalletSettings;
  held: HeldDestinations;
}

/**
 * Returns the settings by which quotes are made at a time (GUARD-5): the saved ones, with the former destination of a method whose new one
 * still waits. A method without a saved destination is not held: it stops at once.
 */
export function effectiveSettings({ saved, held }: StoredSettings, now: Date): WalletSettings {
  const waiting = cryptoTypes.filter((method) => isWaiting(held[method], now) && hasDestination(method, saved));
  return Object.assign({}, saved, ...waiting.map((method) => held[method]?.values)) as WalletSettings;
}

/**
 * Returns what is held once the saved settings become `wanted`. A method whose destination changes is quoted as it is now until
 * `delaySeconds` from now; the first destination that a method ever has is not delayed. The parts of a bank account wait together, so
 * that no quote mixes two accounts.
 */
export function holdDestinations(
  stored: StoredSettings,
  wanted: WalletSettings,
  now: Date,
  delaySeconds: number,
): HeldDestinations {
  const effective = effectiveSettings(stored, now);
  const changed = changedDestinations(stored.saved, wanted);
  const until = new Date(now.getTime() + delaySeconds * 1000).toISOString();
  const held = { ...stored.held };
  for (const method of cryptoTypes) {
    const fields = destinationFields(method);
    const isFirst = stored.held[method] === undefined && !hasDestination(method, stored.saved);
    if (isFirst || !fields.some((name) => changed.includes(name))) continue;
    held[method] = { until, values: Object.fromEntries(fields.map((name) => [name, effective[name]])) };
  }
  return held;
}

/**
 * Returns what is held once an undo restored fields: they count at once, also where the method was stopped meanwhile. A method with a
 * restored value that was saved within the delay waits on. `recent` is every change within the delay, oldest first.
 */
export function restoreHeld(
  held: HeldDestinations,
  restored: Partial<WalletSettings>,
  recent: readonly RecordedChange[],
): HeldDestinations {
  return Object.fromEntries(
    Object.entries(held).map(([method, { until, values }]) => {
      const own = Object.entries(restored).filter(([name]) => name in values);
      const isFormer = own.every(([name, value]) => (valueBefore(recent, name as SettingsName) ?? value) === value);
      return [method, { until, values: isFormer ? { ...values, ...Object.fromEntries(own) } : values }];
    }),
  );
}

/** Returns since when the saved destination of each waiting method is quoted, as ISO 8601 UTC. */
export function takeEffect(stored: StoredSettings, now: Date): Partial<Record<CryptoType, string>> {
  const effective = effectiveSettings(stored, now);
  const waiting = cryptoTypes.filter((method) =>
    destinationFields(method).some((name) => effective[name] !== stored.saved[name]),
  );
  return Object.fromEntries(waiting.map((method) => [method, stored.held[method]!.until]));
}

function isWaiting(held: HeldDestination | undefined, now: Date): boolean {
  return held !== undefined && now < new Date(held.until);
}

/** A destination, or a key that destinations are derived from. */
function hasDestination(method: CryptoType, settings: WalletSettings): boolean {
  const keys = destinationFields(method).filter((name) => settingsField(name).kind === "key");
  return paymentMethod(method).destination(settings) !== "" || keys.some((name) => settings[name] !== "");
}
