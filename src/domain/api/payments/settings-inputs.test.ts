import { expect, it } from "vitest";
import * as z from "zod/mini";
import { faults } from "../../../../tests/support/domain/input-errors.ts";
import { PriceBoundsForm } from "./coin-prices.ts";
import { WalletSettingsForm } from "./wallet-settings.ts";

// PRICE-4
it("takes bounds of a price in order, either or both of which may be left out", () => {
  expect(z.parse(PriceBoundsForm, {})).toEqual({ lowest_usd: "", highest_usd: "" });
  expect(z.parse(PriceBoundsForm, { lowest_usd: " 9.5 ", highest_usd: "10" })).toEqual({
    lowest_usd: "9.5",
    highest_usd: "10",
  });
  expect(z.parse(PriceBoundsForm, { lowest_usd: "", highest_usd: " " })).toEqual({ lowest_usd: "", highest_usd: "" });
  for (const bounds of [{ lowest_usd: "10", highest_usd: "10" }, { lowest_usd: "10" }, { highest_usd: "10" }])
    expect(faults(PriceBoundsForm, bounds)).toEqual([]);
});

it("refuses crossed bounds, and a bound that is no price for that alone", () => {
  expect(faults(PriceBoundsForm, { lowest_usd: "10", highest_usd: "9.5" })).toEqual(["highest_usd: price_bounds_crossed"]);
  expect(faults(PriceBoundsForm, { lowest_usd: "x", highest_usd: "9.5" })).toEqual(["lowest_usd: price_invalid"]);
  expect(faults(PriceBoundsForm, { lowest_usd: "10", highest_usd: "0" })).toEqual(["highest_usd: price_invalid"]);
});

// WALLET-1
it("asks for a Bitcoin address where there is no key that makes some", () => {
  const form = {
    bitcoin_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    bitcoin_xpub: "",
    ethereum_address: "0x52908400098527886E0F7030069857D2E4169EE7",
    bitcoin_price_usd: "60000",
    ethereum_price_usd: "3000",
  };
  const key = "xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj";
  expect(faults(WalletSettingsForm, form)).toEqual([]);
  expect(faults(WalletSettingsForm, { ...form, bitcoin_xpub: key })).toEqual([]);
  expect(faults(WalletSettingsForm, { ...form, bitcoin_address: "", bitcoin_xpub: key })).toEqual([]);
  expect(faults(WalletSettingsForm, { ...form, bitcoin_address: "" })).toEqual(["bitcoin_address: address_missing"]);
});
