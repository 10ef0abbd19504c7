import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { addressField } from "./settings-fields.ts";
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

  it("report every changed destination and no changed price", () => {
    const after = { ...defaultWalletSettings, bitcoin_price_usd: "1", bitcoin_address: "bc1q", thai_bank_account_name: "A" };
    expect(changedDestinations(defaultWalletSettings, after)).toEqual(["bitcoin_address", "thai_bank_account_name"]);
    expect(changedDestinations(after, after)).toEqual([]);
  });
});

describe("an address field", () => {
  const check = (text: string) => (text === "good" ? ({ address: "GOOD" } as const) : ({ fault: "bad" } as const));
  const issuesOf = (field: { input: z.ZodMiniType }, text: unknown) =>
    z.safeParse(field.input, text).error?.issues.map(({ message }) => message);

  it("stores the normal form and reports the fault under its prefix", () => {
    expect(z.parse(addressField("A", check, "a").input, " good ")).toBe("GOOD");
    expect(issuesOf(addressField("A", check, "a"), "other")).toEqual(["a_bad"]);
  });

  it("may be left empty or out only where it is not required", () => {
    expect(issuesOf(addressField("A", check, "a"), "")).toEqual(["address_missing"]);
    const optional = addressField("A", check, "a", false);
    expect([z.parse(optional.input, ""), z.parse(optional.input, undefined)]).toEqual(["", ""]);
    expect(issuesOf(optional, "other")).toEqual(["a_bad"]);
  });
});
