// Over 250 lines: every order of saves and undos is tried on the same shop.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedDestinations, defaultWalletSettings, type WalletSettings } from "../payment-methods/settings.ts";
import { changedNames, fieldChanges, undoSeconds, undoSteps, type RecordedChange } from "./changes.ts";
import { effectiveSettings, holdDestinations, restoreHeld, takeEffect, waitingText, type HeldDestinations } from "./delay.ts";

const at = (hours: number): Date => new Date(hours * 3600 * 1000);
const owned = { ...defaultWalletSettings, bitcoin_address: "old" };

const account = { thai_bank_name: "A", thai_bank_account_number: "1", thai_bank_account_name: "Owner" };

/** The settings as they are after saves and undos at some hours. */
class Shop {
  saved: WalletSettings;
  held: HeldDestinations = {};
  history: RecordedChange[] = [];
  private readonly delayHours: number;

  constructor(saved: WalletSettings = owned, delayHours = 24) {
    this.saved = saved;
    this.delayHours = delayHours;
  }

  save(hours: number, changes: Partial<WalletSettings>): void {
    const wanted = { ...this.saved, ...changes };
    this.held = holdDestinations(this, wanted, at(hours), this.delayHours * 3600);
    const fields = fieldChanges(this.saved, wanted, changedDestinations(this.saved, wanted));
    this.history.push({ id: this.history.length, at: at(hours), fields });
    this.saved = wanted;
  }

  /** Undoes the last save by its link. */
  undo(hours: number): void {
    const change = this.history.at(-1)!;
    const steps = undoSteps(change, this.history, this.saved);
    const restored = Object.fromEntries(changedNames(steps).map((name) => [name, steps[name]!.after]));
    const since = change.at.getTime() / 3600_000 - Math.max(undoSeconds / 3600, this.delayHours);
    const history = this.history.filter((one) => one.at >= at(since));
    const wanted = { ...this.saved, ...restored };
    this.held = restoreHeld(this, wanted, history, at(hours), this.delayHours * 3600);
    this.saved = wanted;
  }

  quoted(hours: number): WalletSettings {
    return effectiveSettings(this, at(hours));
  }
}

// GUARD-5
describe("with a delay", () => {
  it("quotes the former destination until the delay is over", () => {
    const shop = new Shop();
    shop.save(0, { bitcoin_address: "new" });
    expect([0, 23.99, 24].map((hours) => shop.quoted(hours).bitcoin_address)).toEqual(["old", "old", "new"]);
    expect(takeEffect(shop, at(1))).toEqual({ bitcoin: at(24).toISOString() });
    expect(takeEffect(shop, at(24))).toEqual({});
  });

  it("quotes the former address until a key in its place takes effect", () => {
    const shop = new Shop();
    shop.save(0, { bitcoin_address: "", bitcoin_xpub: "zpub" });
    expect([0, 24].map((hours) => shop.quoted(hours).bitcoin_address)).toEqual(["old", ""]);
    expect([0, 24].map((hours) => shop.quoted(hours).bitcoin_xpub)).toEqual(["", "zpub"]);
  });

  it("waits again after another change, and quotes what was quoted before both", () => {
    const shop = new Shop();
    shop.save(0, { bitcoin_address: "one" });
    shop.save(12, { bitcoin_address: "two" });
    expect([24, 35, 36].map((hours) => shop.quoted(hours).bitcoin_address)).toEqual(["old", "old", "two"]);
  });

  it("does not delay the first destination of a method", () => {
    const shop = new Shop();
    shop.save(0, { ethereum_address: "first" });
    expect(shop.quoted(0).ethereum_address).toBe("first");
    expect(takeEffect(shop, at(0))).toEqual({});
  });

  it("stops a method at once whose destination is removed", () => {
    const shop = new Shop();
    shop.save(0, { bitcoin_address: "" });
    expect(shop.quoted(0).bitcoin_address).toBe("");
  });

  it("delays a destination that is set after another was removed, however long ago", () => {
    for (const hours of [1, 1000]) {
      const shop = new Shop();
      shop.save(0, { bitcoin_address: "" });
      shop.save(hours, { bitcoin_address: "thief" });
      expect(shop.quoted(hours).bitcoin_address).toBe("");
      expect(shop.quoted(hours + 24).bitcoin_address).toBe("thief");
    }
  });

  it("never mixes the parts of two bank accounts", () => {
    const shop = new Shop();
    shop.save(0, { thai_bank_name: "A", thai_bank_account_number: "1", thai_bank_account_name: "Owner" });
    shop.save(1, { thai_bank_account_name: "Other" });
    shop.save(2, { thai_bank_name: "B", thai_bank_account_number: "2" });
    const accounts = [2, 25, 26].map((hours) => {
      const { thai_bank_name, thai_bank_account_number, thai_bank_account_name } = shop.quoted(hours);
      return [thai_bank_name, thai_bank_account_number, thai_bank_account_name].join(" ");
    });
    expect(accounts).toEqual(["A 1 Owner", "A 1 Owner", "B 2 Other"]);
  });

  it("delays neither prices nor the alert address", () => {
    const shop = new Shop();
    shop.save(0, { bitcoin_price_usd: "50000", alert_email: "a@example.com" });
    expect(shop.quoted(0)).toMatchObject({ bitcoin_price_usd: "50000", alert_email: "a@example.com" });
  });

  it("quotes restored destinations at once, also where the method was stopped", () => {
    const shop = new Shop();
    shop.save(0, { bitcoin_address: "" });
    shop.save(1, { bitcoin_address: "thief" });
    shop.undo(1);
    expect(shop.quoted(1).bitcoin_address).toBe("old");
  });

  it("quotes a restored destination at once where a thief's was in force by then", () => {
    const shop = new Shop();
    shop.save(0, { bitcoin_address: "thief" });
    shop.save(30, { bitcoin_address: "thief 2" });
    expect(shop.quoted(30).bitcoin_address).toBe("thief");
    shop.undo(31);
    expect(shop.quoted(31).bitcoin_address).toBe("old");
    expect(takeEffect(shop, at(31))).toEqual({});
    expect(shop.held).toEqual({ bitcoin: { until: at(54).toISOString(), values: {} } });
  });

  it("quotes a shop's first destination no sooner than the delay after it was saved", () => {
    for (const [hours, quoted] of [
      [23.99, ""],
      [24, "first"],
    ] as const) {
      const shop = new Shop(defaultWalletSettings);
      shop.save(0, { bitcoin_address: "first" });
      shop.save(1, { bitcoin_address: "" });
      shop.save(2, { bitcoin_address: "thief" });
      shop.undo(hours);
      expect(shop.saved.bitcoin_address).toBe("first");
      expect(shop.quoted(hours).bitcoin_address).toBe(quoted);
    }
  });

  it("does not delay the first destination after an undo of another first one", () => {
    const shop = new Shop();
    shop.save(0, { ethereum_address: "thief" });
    shop.undo(1);
    shop.save(2, { ethereum_address: "first" });
    expect(shop.quoted(2).ethereum_address).toBe("first");
  });

  it("quotes a restored account at once, also a part that a thief had set back", () => {
    const shop = new Shop({ ...owned, ...account });
    shop.save(0, { thai_bank_name: "", thai_bank_account_number: "", thai_bank_account_name: "" });
    shop.save(1, { ...account, thai_bank_account_number: "666" });
    shop.undo(2);
    expect(shop.quoted(2)).toMatchObject(account);
  });

  it("quotes a restored destination no sooner than the delay after it was saved", () => {
    const shop = new Shop(owned, 100);
    shop.save(0, { bitcoin_address: "one" });
    shop.save(73, { bitcoin_address: "two" });
    shop.undo(73);
    expect([73, 172.99, 173].map((hours) => shop.quoted(hours).bitcoin_address)).toEqual(["old", "old", "one"]);
    shop.save(174, { bitcoin_address: "two" });
    shop.undo(174);
    expect(shop.quoted(174).bitcoin_address).toBe("one");
  });

  it("lets every part of a restored account wait where one was saved within the delay", () => {
    const shop = new Shop({ ...owned, ...account }, 100);
    shop.save(0, { thai_bank_account_number: "666" });
    shop.save(73, { thai_bank_account_name: "Thief" });
    shop.undo(73);
    expect(shop.saved).toMatchObject({ ...account, thai_bank_account_number: "666" });
    expect(shop.quoted(73)).toMatchObject(account);
  });

  it("lets a restored account wait whose number was rewritten since it was saved", () => {
    const shop = new Shop({ ...owned, ...account }, 100);
    shop.save(0, { thai_bank_account_number: "66-6" });
    shop.save(10, { thai_bank_account_number: "666" });
    shop.save(73, { thai_bank_account_name: "Thief" });
    shop.undo(73);
    expect(shop.saved).toMatchObject({ ...account, thai_bank_account_number: "666" });
    expect(shop.quoted(73)).toMatchObject(account);
  });

  it("lets no account wait that is quoted already, with other dashes", () => {
    const shop = new Shop({ ...owned, ...account, thai_bank_account_number: "12-3" });
    shop.save(0, { thai_bank_account_number: "666" });
    shop.save(1, { thai_bank_account_number: "123" });
    expect(takeEffect(shop, at(2))).toEqual({});
  });

  it("quotes a restored address at once, also where a thief had set it back", () => {
    const shop = new Shop();
    shop.save(0, { bitcoin_address: "thief" });
    shop.save(30, { bitcoin_address: "old", bitcoin_xpub: "zpub of the thief" });
    shop.undo(31);
    expect(shop.quoted(31)).toMatchObject({ bitcoin_address: "old", bitcoin_xpub: "" });
  });

  it("quotes nothing sooner by an undo in a shop that had removed its destination", () => {
    const shop = new Shop();
    shop.save(0, { bitcoin_address: "" });
    shop.save(73, { bitcoin_address: "thief" });
    shop.save(74, { bitcoin_address: "thief 2" });
    shop.undo(75);
    expect(shop.saved.bitcoin_address).toBe("thief");
    expect(shop.quoted(75).bitcoin_address).toBe("");
  });

  it("leaves what is held of other methods when one is restored", () => {
    const shop = new Shop({ ...owned, ethereum_address: "old" });
    shop.save(0, { ethereum_address: "new" });
    shop.save(30, { ethereum_address: "old" });
    shop.save(31, { bitcoin_address: "thief" });
    shop.undo(32);
    expect(takeEffect(shop, at(32))).toEqual({ ethereum: at(54).toISOString() });
  });

  it("does not delay the first bank account whose name was there before", () => {
    const shop = new Shop();
    shop.save(0, { thai_bank_account_name: "Owner" });
    shop.save(1, { thai_bank_name: "A", thai_bank_account_number: "1" });
    expect(takeEffect(shop, at(1))).toEqual({});
  });

  it("quotes no destination within a day of its first save", () => {
    const saves = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 30 }), address: fc.constantFrom("", "old", "thief") }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(saves, (steps) => {
        const shop = new Shop();
        let hours = 0;
        let thiefSince: number | undefined;
        for (const { wait, address } of steps) {
          hours += wait;
          if (address === "thief") thiefSince ??= hours;
          shop.save(hours, { bitcoin_address: address });
          if (shop.quoted(hours).bitcoin_address === "thief") expect(hours - thiefSince!).toBeGreaterThanOrEqual(24);
        }
      }),
    );
  });
});

it("quotes a new destination at once without a delay", () => {
  const held = holdDestinations({ saved: owned, held: {} }, { ...owned, bitcoin_address: "new" }, at(0), 0);
  expect(effectiveSettings({ saved: { ...owned, bitcoin_address: "new" }, held }, at(0)).bitcoin_address).toBe("new");
});

it("says from when students see a destination that waits", () => {
  const text =
    "Bitcoin: students see the saved destination from 2026-11-28 10:00 UTC. Until then, where they pay stays as it is.";
  expect(waitingText("bitcoin", "2026-11-28 10:00 UTC")).toBe(text);
});
