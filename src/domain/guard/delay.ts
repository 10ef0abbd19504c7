import { cryptoTypes, paymentMethod, type CryptoType } from "../payment-methods/methods.ts";
import {
  changedDestinations,
  destinationFields,
  isSameValue,
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
 * Returns what is held once an undo makes the saved settings `restored`: a restored destination counts at once, also where the method was
 * stopped meanwhile. It waits on where a part of it was itself saved within the delay. `history` is every change from 72 hours,
 * or the delay where that is longer, before the undone one until now, oldest first: a value that was there before these is not new.
 */
export function restoreHeld(
  { saved, held }: StoredSettings,
  restored: WalletSettings,
  history: readonly RecordedChange[],
  now: Date,
  delaySeconds: number,
): HeldDestinations {
  const undone = changedDestinations(saved, restored);
  const recent = history.filter(({ at }) => now.getTime() - at.getTime() < delaySeconds * 1000);
  const isRestored = (name: SettingsName, value: string | undefined): boolean =>
    value !== undefined && isSameValue(name, value, restored[name]);
  const isNew = (name: SettingsName): boolean =>
    !isRestored(name, valueBefore(history, name)) && recent.some(({ fields }) => isRestored(name, fields[name]?.after));
  const next = { ...held };
  for (const method of cryptoTypes) {
    const fields = destinationFields(method);
    if (held[method] === undefined || !fields.some((name) => undone.includes(name)) || fields.some(isNew)) continue;
    // The entry stays: the successor of a destination that is removed later waits.
    next[method] = { ...held[method], values: {} };
  }
  return next;
}

/** Returns since when the saved destination of each waiting method is quoted, as ISO 8601 UTC. */
export function takeEffect(stored: StoredSettings, now: Date): Partial<Record<CryptoType, string>> {
  const effective = effectiveSettings(stored, now);
  const changed = changedDestinations(effective, stored.saved);
  const waiting = cryptoTypes.filter((method) => destinationFields(method).some((name) => changed.includes(name)));
  return Object.fromEntries(waiting.map((method) => [method, stored.held[method]!.until]));
}

/** Returns the sentence that says from when students see a method's saved destination. */
export function waitingText(method: CryptoType, when: string): string {
  return `${paymentMethod(method).name}: students see the saved destination from ${when}. Until then, where they pay stays as it is.`;
}

function isWaiting(held: HeldDestination | undefined, now: Date): boolean {
  return held !== undefined && now < new Date(held.until);
}

/** A destination, or a key that destinations are derived from. */
function hasDestination(method: CryptoType, settings: WalletSettings): boolean {
  const keys = destinationFields(method).filter((name) => settingsField(name).kind === "key");
  return paymentMethod(method).destination(settings) !== "" || keys.some((name) => settings[name] !== "");
}
