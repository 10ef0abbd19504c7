import { describe, expect, it } from "vitest";
import { changedDestinations, defaultWalletSettings } from "./settings.ts";

describe("wallet settings", () => {
  it("start with the specified prices and nowhere to pay", () => {
    expect(defaultWalletSettings).toEqual({
      bitcoin_address: "",
      ethereum_address: "",
      bitcoin_price_usd: "45000",
      ethereum_price_usd: "3000",
      thai_bank_name: "",
      thai_bank_account_number: "",
      thai_bank_account_name: "",
      promptpay_id: "",
    });
  });

  it("tell every change of where money goes, and no change of a price", () => {
    const after = { ...defaultWalletSettings, bitcoin_price_usd: "1", bitcoin_address: "bc1q", thai_bank_account_name: "A" };
    expect(changedDestinations(defaultWalletSettings, after)).toEqual(["bitcoin_address", "thai_bank_account_name"]);
    expect(changedDestinations(after, after)).toEqual([]);
  });
});
