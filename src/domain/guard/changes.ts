import { cryptoTypes } from "../payment-methods/methods.ts";
import {
  changedDestinations,
  defaultWalletSettings,
  destinationFields,
  isSameValue,
  mapSettings,
  settingsField,
  type SettingsName,
  type WalletSettings,
} from "../payment-methods/settings.ts";

/** Seconds for which a change can be undone by the mailed link, and stands in the admin's dashboard (GUARD-2, GUARD-3). */
export const undoSeconds = 72 * 3600;

/** What a change of the wallet settings did, by field. */
export type FieldChanges = Partial<Record<SettingsName, { before: string; after: string }>>;

/** One field of a change, for people to read. */
export interface ListedChange {
  field: SettingsName;
  label: string;
  before: string;
  after: string;
}

/** A stored change; `id` counts up, also among changes of the same time. */
export interface RecordedChange {
  id: number;
  at: Date;
  fields: FieldChanges;
}

/** Returns what the change from one state of the settings to another does to the fields in `changed`. */
export function fieldChanges(before: WalletSettings, after: WalletSettings, changed: readonly SettingsName[]): FieldChanges {
  return Object.fromEntries(changed.map((name) => [name, { before: before[name], after: after[name] }]));
}

/** Returns the fields of a change with their labels. */
export function listChanges(fields: FieldChanges): ListedChange[] {
  return changedNames(fields).map((field) => ({ field, label: settingsField(field).label, ...fields[field]! }));
}

/**
 * Returns what undoing a change does to the settings now (GUARD-2): each of its fields goes back to the settled value, the one before its
 * first change in the 72 hours before it, and the destination fields of a method go back together. So no link brings back a value that a thief set after the owner's, in whatever order the field
 * was changed and the owner undoes it. A field stays as it is when it has that value already, or when its value came about in another way
 * since, as a price that the price service renewed. `history` is every recorded change, `own` the settings now without the sample's destinations.
 */
export function undoSteps(
  change: RecordedChange,
  history: readonly RecordedChange[],
  current: WalletSettings,
  own = current,
): FieldChanges {
  const windowStart = change.at.getTime() - undoSeconds * 1000;
  const inWindow = history.filter(({ at }) => at.getTime() >= windowStart).sort((a, b) => a.id - b.id);
  const setUpId = lastOfSetUp(inWindow, own)?.id ?? -Infinity;
  const steps: FieldChanges = {};
  for (const name of changedNames(change.fields)) {
    const together = restoredTogether(name);
    const changes = inWindow.filter(({ fields }) => together.some((one) => fields[one]));
    const upToIt = changes.filter(({ id }) => id <= change.id);
    const first = upToIt.find(({ id }) => id > setUpId) ?? upToIt[0];
    if (first === undefined) continue;
    const restored = stepsBack(changes.slice(changes.indexOf(first)), together, current);
    if (name in restored) Object.assign(steps, restored);
  }
  return steps;
}

/** Returns the fields that go back with a field: all that say where a method is paid, since parts of two accounts are no account. */
function restoredTogether(name: SettingsName): SettingsName[] {
  return cryptoTypes.map(destinationFields).find((fields) => fields.includes(name)) ?? [name];
}

/** Returns what puts fields back to their values before some changes, oldest first, without those whose value is of none of these. */
function stepsBack(changes: readonly RecordedChange[], names: readonly SettingsName[], current: WalletSettings): FieldChanges {
  const steps: FieldChanges = {};
  for (const name of names) {
    const before = valueBefore(changes, name);
    // The undo of a later change may have brought back the value of an earlier one.
    const isTheirs = changes.some(({ fields }) => fields[name] && isSameValue(name, fields[name].after, current[name]));
    if (before === undefined || !isTheirs || isSameValue(name, before, current[name])) continue;
    steps[name] = { before: current[name], after: before };
  }
  return steps;
}

/**
 * Returns the change that set the first destination of a shop without any, whose values are settled like older ones: else an undo on the
 * day of the set-up would empty them. In a shop that has a destination, an empty field is a choice.
 */
function lastOfSetUp(inWindow: readonly RecordedChange[], own: WalletSettings): RecordedChange | undefined {
  const before = mapSettings((name) => valueBefore(inWindow, name) ?? own[name]);
  if (changedDestinations(defaultWalletSettings, before).length > 0) return undefined;
  return inWindow.find(({ fields }) => changedNames(fields).some((name) => settingsField(name).isDestination));
}

/** Returns the value of a field before the first of some changes, oldest first; undefined when none of them changed it. */
export function valueBefore(changes: readonly RecordedChange[], name: SettingsName): string | undefined {
  return changes.find(({ fields }) => fields[name])?.fields[name]?.before;
}

/** Returns the names of the fields that were changed. */
export function changedNames(fields: FieldChanges): SettingsName[] {
  return Object.keys(fields) as SettingsName[];
}
