import fc from "fast-check";
import { expect, it } from "vitest";
import { sampleWalletSettings, withoutSample } from "../payment-methods/sample.ts";
import {
  changedFields,
  defaultWalletSettings,
  mapSettings,
  settingsField,
  settingsNames,
  type SettingsName,
  type WalletSettings,
} from "../payment-methods/settings.ts";
import { fieldChanges, listChanges, undoSeconds, undoSteps, type FieldChanges, type RecordedChange } from "./changes.ts";

const hour = 3600;

const shop: WalletSettings = { ...defaultWalletSettings, bitcoin_address: "old", alert_email: "owner@example.com" };

/** Saves values of one field one after the other; returns the recorded changes and the settings at the end. */
function saves(field: SettingsName, ...steps: [hours: number, value: string][]) {
  return savesIn(shop, field, ...steps);
}

function savesIn(start: WalletSettings, field: SettingsName, ...steps: [hours: number, value: string][]) {
  let current = start;
  const history = steps.map(([hours, value], index): RecordedChange => {
    const before = current;
    current = { ...before, [field]: value };
    return { id: index + 1, at: new Date(hours * hour * 1000), fields: fieldChanges(before, current, [field]) };
  });
  return { history, current };
}

/** The settings once an undo has taken its steps. */
function settingsAfter(steps: FieldChanges, current: WalletSettings): WalletSettings {
  return { ...current, ...Object.fromEntries(Object.entries(steps).map(([name, { after }]) => [name, after])) };
}

// GUARD-2
it("puts a field back to what it was before the change", () => {
  const { history, current } = saves("bitcoin_address", [0, "thief"]);
  expect(undoSteps(history[0]!, history, current)).toEqual({ bitcoin_address: { before: "thief", after: "old" } });
});

it("restores the value before the first of several changes, by any of their links", () => {
  const { history, current } = saves("bitcoin_address", [0, "thief 1"], [1, "thief 2"], [1, "thief 3"]);
  for (const change of history) {
    expect(undoSteps(change, history, current)).toEqual({ bitcoin_address: { before: "thief 3", after: "old" } });
  }
});

it("restores the first destination of a new shop on the day it was set", () => {
  const steps = [
    [0, "owner"],
    [1, "thief 1"],
    [2, ""],
    [3, "thief 2"],
  ] as [number, string][];
  const { history, current } = savesIn(defaultWalletSettings, "ethereum_address", ...steps);
  for (const change of [history[1]!, history[3]!]) {
    expect(undoSteps(change, history, current)).toEqual({ ethereum_address: { before: "thief 2", after: "owner" } });
  }
  expect(undoSteps(history[0]!, history, current)).toEqual({ ethereum_address: { before: "thief 2", after: "" } });
});

it("empties the first destination by its own link after the undo of a later change", () => {
  const { history, current } = savesIn(defaultWalletSettings, "ethereum_address", [0, "thief 1"], [1, "thief 2"]);
  const restored = settingsAfter(undoSteps(history[1]!, history, current), current);
  expect(undoSteps(history[0]!, history, restored)).toEqual({ ethereum_address: { before: "thief 1", after: "" } });
});

it("restores the price that was saved before the first destination", () => {
  const before = { ...defaultWalletSettings, bitcoin_price_usd: "50000" };
  const open = { ...before, bitcoin_address: "owner" };
  const current = { ...open, bitcoin_price_usd: "1" };
  const history: RecordedChange[] = [
    { id: 1, at: new Date(0), fields: fieldChanges(defaultWalletSettings, before, ["bitcoin_price_usd"]) },
    { id: 2, at: new Date(0), fields: fieldChanges(before, open, ["bitcoin_address"]) },
    { id: 3, at: new Date(0), fields: fieldChanges(open, current, ["bitcoin_price_usd"]) },
  ];
  expect(undoSteps(history[2]!, history, current)).toEqual({ bitcoin_price_usd: { before: "1", after: "50000" } });
});

it.each(["bitcoin_xpub", "promptpay_id", "thai_bank_account_number", "ethereum_address"] as const)(
  "brings back that a shop has no %s, which is a choice",
  (field) => {
    const { history, current } = saves(field, [0, "thief 1"], [1, ""], [2, "thief 2"]);
    for (const change of history) {
      expect(undoSteps(change, history, current)).toEqual({ [field]: { before: "thief 2", after: "" } });
    }
  },
);

it("brings back a price that is the default, which is a choice", () => {
  const { history, current } = saves("bitcoin_price_usd", [0, "9000000"], [1, "8000000"]);
  expect(undoSteps(history[1]!, history, current)).toEqual({ bitcoin_price_usd: { before: "8000000", after: "45000" } });
});

it.each([
  ["alert_email", "thief@example.com", "owner@example.com"],
  ["ethereum_address", "thief", ""],
] as const)("never brings back a thief's %s by the link of the owner's own correction", (field, theirs, corrected) => {
  const { history, current } = saves(field, [0, theirs], [1, corrected]);
  for (const change of history) expect(undoSteps(change, history, current)).toEqual({});
});

it("brings back that there was no alert email, which is a choice", () => {
  let current: WalletSettings = { ...defaultWalletSettings, alert_email: "" };
  const history = ["owner@example.com", "thief@example.com"].map((alert_email, index): RecordedChange => {
    const before = current;
    current = { ...before, alert_email };
    return { id: index + 1, at: new Date(0), fields: fieldChanges(before, current, ["alert_email"]) };
  });
  expect(undoSteps(history[1]!, history, current)).toEqual({ alert_email: { before: "thief@example.com", after: "" } });
});

it("leaves a field empty that was emptied again, in whatever order changes come", () => {
  const emptied = saves("ethereum_address", [0, "owner"], [1, "other"], [2, ""], [3, ""]);
  expect(undoSteps(emptied.history[2]!, emptied.history, emptied.current)).toEqual({});
  const { history, current } = saves("bitcoin_address", [0, "thief 1"], [1, "thief 2"]);
  const steps = { bitcoin_address: { before: "thief 2", after: "old" } };
  expect(undoSteps(history[1]!, history.toReversed(), current)).toEqual(steps);
});

it("undoes nothing of a change that is not recorded", () => {
  const { history, current } = saves("bitcoin_address", [0, "thief 1"], [1, "thief 2"]);
  expect(undoSteps(history[0]!, [], current)).toEqual({});
  expect(undoSteps(history[0]!, [history[1]!], current)).toEqual({});
});

it("counts a value as settled once nothing has changed it for 72 hours", () => {
  const settled = undoSeconds / hour;
  const within = saves("bitcoin_address", [0, "moved"], [settled, "thief"]);
  expect(undoSteps(within.history[1]!, within.history, within.current).bitcoin_address?.after).toBe("old");
  const after = saves("bitcoin_address", [0, "moved"], [settled + 0.001, "thief"]);
  expect(undoSteps(after.history[1]!, after.history, after.current).bitcoin_address?.after).toBe("moved");
});

it("leaves a price alone that the price service has renewed since", () => {
  const { history, current } = saves("bitcoin_price_usd", [0, "1"]);
  expect(undoSteps(history[0]!, history, current).bitcoin_price_usd?.after).toBe("45000");
  expect(undoSteps(history[0]!, history, { ...current, bitcoin_price_usd: "0.9" })).toEqual({});
});

it("restores the fields of the change alone", () => {
  const before = { ...defaultWalletSettings, bitcoin_address: "old" };
  const middle = { ...before, bitcoin_address: "thief", bitcoin_price_usd: "1" };
  const current = { ...middle, ethereum_address: "new" };
  const history: RecordedChange[] = [
    { id: 1, at: new Date(0), fields: fieldChanges(before, middle, ["bitcoin_address", "bitcoin_price_usd"]) },
    { id: 2, at: new Date(0), fields: fieldChanges(middle, current, ["ethereum_address"]) },
  ];
  expect(Object.keys(undoSteps(history[0]!, history, current))).toEqual(["bitcoin_address", "bitcoin_price_usd"]);
});

it("restores a bank account whole, as before the first change of any part", () => {
  const former = { thai_bank_name: "Former", thai_bank_account_number: "1", thai_bank_account_name: "F", promptpay_id: "" };
  const own = { ...shop, ...former };
  const moved = { ...own, thai_bank_name: "Own", thai_bank_account_number: "2", thai_bank_account_name: "O" };
  const current = { ...moved, thai_bank_account_number: "666" };
  const moves: RecordedChange[] = [
    { id: 1, at: new Date(0), fields: fieldChanges(own, moved, changedFields(own, moved)) },
    { id: 2, at: new Date(60 * hour * 1000), fields: fieldChanges(moved, current, ["thai_bank_account_number"]) },
  ];
  for (const change of moves) expect(settingsAfter(undoSteps(change, moves, current), current)).toEqual(own);
  const settled = [moves[0]!, { ...moves[1]!, at: new Date(73 * hour * 1000) }];
  expect(settingsAfter(undoSteps(settled[1]!, settled, current), current)).toEqual(moved);
});

it("restores a bank account whose number was then written in another way", () => {
  const own = { ...shop, thai_bank_name: "Own", thai_bank_account_number: "12-3" };
  const moved = { ...own, thai_bank_account_number: "666-6" };
  const change = { id: 1, at: new Date(0), fields: fieldChanges(own, moved, changedFields(own, moved)) };
  const current = { ...moved, thai_bank_account_number: "6666" };
  expect(settingsAfter(undoSteps(change, [change], current), current)).toEqual(own);
  const sameAgain = { ...moved, thai_bank_account_number: "123" };
  expect(undoSteps(change, [change], sameAgain)).toEqual({});
});

it("restores the address that was replaced by a key which a thief then changed", () => {
  const moved = { ...shop, bitcoin_address: "", bitcoin_xpub: "own" };
  const current = { ...moved, bitcoin_xpub: "thief" };
  const history: RecordedChange[] = [
    { id: 1, at: new Date(0), fields: fieldChanges(shop, moved, ["bitcoin_address", "bitcoin_xpub"]) },
    { id: 2, at: new Date(0), fields: fieldChanges(moved, current, ["bitcoin_xpub"]) },
  ];
  expect(settingsAfter(undoSteps(history[1]!, history, current), current)).toEqual(shop);
});

it("counts the first destination of a shop with samples beside it as the set-up", () => {
  const sampled = { ...shop, ethereum_address: sampleWalletSettings.ethereum_address, bitcoin_address: "thief" };
  const history = (["owner", "thief"] as const).map((bitcoin_address, index): RecordedChange => {
    const before = { ...sampled, bitcoin_address: index === 0 ? "" : "owner" };
    return { id: index, at: new Date(0), fields: fieldChanges(before, { ...before, bitcoin_address }, ["bitcoin_address"]) };
  });
  const steps = { bitcoin_address: { before: "thief", after: "owner" } };
  expect(undoSteps(history[1]!, history, sampled, withoutSample(sampled))).toEqual(steps);
});

const attempts = fc.array(
  fc.record({
    field: fc.constantFrom(...settingsNames),
    value: fc.constantFrom("thief 1", "thief 2", ""),
    undone: fc.option(fc.nat(20), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 20 },
);
/** What the owner saved: any fields, with a destination among them. */
const ownSettings = fc
  .subarray(settingsNames, { minLength: 1 })
  .filter((names) => names.some((name) => settingsField(name).isDestination))
  .map((names) => mapSettings((name) => (names.includes(name) ? `owner's ${name}` : settingsField(name).initial)));

it("undoes a thief's changes to what stood before them, in any order", () => {
  fc.assert(
    fc.property(ownSettings, fc.boolean(), attempts, (owned, isSetUpToday, made) => {
      let current = owned;
      const fields = fieldChanges(defaultWalletSettings, owned, changedFields(defaultWalletSettings, owned));
      const own: RecordedChange[] = isSetUpToday ? [{ id: -1, at: new Date(0), fields }] : [];
      const thiefs: RecordedChange[] = [];
      const undo = (change: RecordedChange): void => {
        current = settingsAfter(undoSteps(change, [...own, ...thiefs], current), current);
      };
      for (const { field, value, undone } of made) {
        const after = { ...current, [field]: value };
        if (current[field] !== value) {
          thiefs.push({ id: thiefs.length, at: new Date(thiefs.length), fields: fieldChanges(current, after, [field]) });
        }
        current = after;
        if (undone !== undefined && thiefs.length > 0) undo(thiefs[undone % thiefs.length]!);
      }
      for (const change of thiefs) undo(change);
      expect(current).toEqual(owned);
    }),
  );
});

it("lists the fields of a change by their labels", () => {
  const after = { ...defaultWalletSettings, promptpay_id: "0812345678" };
  expect(listChanges(fieldChanges(defaultWalletSettings, after, ["promptpay_id"]))).toEqual([
    { field: "promptpay_id", label: "PromptPay ID", before: "", after: "0812345678" },
  ]);
});
