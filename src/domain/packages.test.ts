import { describe, expect, it } from "vitest";
import { isDowngrade, packageBadges, packages } from "./packages.ts";
import { canDecide } from "./payment-request.ts";
import { changedDestinations, defaultWalletSettings } from "./wallet-settings.ts";

describe("the packages", () => {
  it("cost 497 and 997 USD", () => {
    expect([packages.starter.priceUsd, packages.advanced.priceUsd]).toEqual(["497", "997"]);
  });

  it("hold what the landing page promises", () => {
    expect(packages.starter.features).toEqual([
      "Forex Basics",
      "SMC Full Course",
      "SMC Trade Plan",
      "Risk Management",
      "Psychology & Mindset Mastery (Basic)",
    ]);
    expect(packages.advanced.features).toEqual([
      "Forex Basics",
      "SMC Full Course",
      "SMC Trade Plan",
      "Elliott Wave Full Course",
      "Elliott Wave Trade Plan",
      "SMC + Wave Trade Plan",
      "Risk Management",
      "Psychology & Mindset Mastery (Full Course)",
      "Weekly Live Mentorship",
    ]);
  });

  it("have their badges", () => {
    expect(packageBadges).toEqual({ unpaid: "No Package", starter: "Starter Package", advanced: "Advanced Package" });
  });
});

it.each([
  ["advanced", "starter", true],
  ["advanced", "unpaid", true],
  ["starter", "unpaid", true],
  ["unpaid", "starter", false],
  ["starter", "advanced", false],
  ["starter", "starter", false],
] as const)("going from %s to %s takes something away: %s", (from, to, takes) => expect(isDowngrade(from, to)).toBe(takes));

it("only a pending payment request can be decided", () => {
  expect([canDecide("pending"), canDecide("approved"), canDecide("rejected")]).toEqual([true, false, false]);
});

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
