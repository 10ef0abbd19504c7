import { changedFields, settingsField, settingText, type WalletSettings } from "#domain/payment-methods/settings";

/** What the wallet form holds, apart from the password. */
export type WalletValues = WalletSettings & { unique_amounts: boolean };

/** A field whose value would change, for people to read. */
export interface ChangedValue {
  label: string;
  before: string;
  after: string;
}

/** Returns the fields that saving would change, in the order of the form (WALLET-6). */
export function changedValues(saved: WalletValues, wanted: WalletValues): ChangedValue[] {
  const changes = changedFields(saved, wanted).map((name) => ({
    label: settingsField(name).label,
    before: settingText(name, saved[name]),
    after: settingText(name, wanted[name]),
  }));
  if (saved.unique_amounts === wanted.unique_amounts) return changes;
  const [before, after] = [saved, wanted].map((values) => (values.unique_amounts ? "On" : "Off")) as [string, string];
  return [...changes, { label: "Last digits of its own for each payment", before, after }];
}

/** Returns where a text differs from another: `text` from `start` and before `end`. */
export function differingPart(text: string, other: string): { start: number; end: number } {
  const shorter = Math.min(text.length, other.length);
  let start = 0;
  while (start < shorter && text[start] === other[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && text[text.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  return { start, end: text.length - tail };
}
