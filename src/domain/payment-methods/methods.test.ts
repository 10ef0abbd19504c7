import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimals } from "../../../tests/support/domain/decimals.ts";
import { decimal } from "../money.ts";
import { discounted } from "../payments/quote.ts";
import {
  amountText,
  cryptoTypes,
  isCurrentDestination,
  methodTexts,
  paymentMethod,
  quoteMethods,
  type CryptoType,
} from "./methods.ts";
import { defaultWalletSettings, type WalletSettings } from "./settings.ts";

const bank = { name: "Bangkok Bank", account_number: "123-4-56789-0", account_name: "", promptpay_id: "" };

const settings: WalletSettings = {
  ...defaultWalletSettings,
  bitcoin_address: "bc1qexample",
  ethereum_address: "0xexample",
  thai_bank_name: bank.name,
  thai_bank_account_number: bank.account_number,
};

const percents = decimals(2, 100);
const prices = decimals(2, 10_000_000);
const rates = prices.filter((rate) => decimal(rate).gt(0));

/** QUOTE-3 and QUOTE-4 in whole numbers: numerator over denominator, half up at the last place. */
function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

const scaled = (text: string, places: number): bigint =>
  BigInt(
    decimal(text)
      .times(10 ** places)
      .toFixed(),
  );

it.each([
  ["thai_bank", "10468.50", "10,468.50 THB"],
  ["thai_bank", "999.00", "999.00 THB"],
  ["thai_bank", "900719925474099312345.67", "900,719,925,474,099,312,345.67 THB"],
  ["bitcoin", "0.00664667", "0.00664667 BTC"],
] as const)("an amount of %s, %s, reads %s (TEXT-3)", (method, amount, text) => expect(amountText(method, amount)).toBe(text));

describe("an amount in another currency", () => {
  it.each([
    ["bitcoin", "0.00664667"],
    ["ethereum", "0.09970000"],
    ["thai_bank", "10468.50"],
  ] as const)("in %s is %s for Advanced with LUNCH, 299.1 USD", (method, amount) => {
    expect(paymentMethod(method).amountFor("299.1", settings)).toBe(amount);
  });

  it.each(["bitcoin", "ethereum"] as const)("in %s is USD over the rate, to 8 decimals half up, exactly", (coin) => {
    fc.assert(
      fc.property(prices, percents, rates, (price, percent, rate) => {
        const usd = discounted(price, percent).amountUsd;
        const amount = paymentMethod(coin).amountFor(usd, { ...settings, bitcoin_price_usd: rate, ethereum_price_usd: rate });
        // usd has at most 6 decimals and the rate 2; the result counts 1e-8.
        expect(scaled(amount, 8)).toBe(halfUp(scaled(usd, 6) * 10n ** 8n * 100n, scaled(rate, 2) * 10n ** 6n));
        expect(amount).toMatch(/^\d+\.\d{8}$/);
      }),
    );
  });

  it("in baht is 35 times USD, to 2 decimals half up, exactly", () => {
    fc.assert(
      fc.property(prices, percents, (price, percent) => {
        const usd = discounted(price, percent).amountUsd;
        const amount = paymentMethod("thai_bank").amountFor(usd, settings);
        expect(scaled(amount, 2)).toBe(halfUp(scaled(usd, 6) * 35n * 100n, 10n ** 6n));
        expect(amount).toMatch(/^\d+\.\d{2}$/);
      }),
    );
  });

  it("rounds half a satoshi up", () => {
    // 1.5 satoshi.
    expect(paymentMethod("bitcoin").amountFor("0.96", { ...settings, bitcoin_price_usd: "64000000" })).toBe("0.00000002");
  });
});

describe("what people read of a method", () => {
  it("names methods, currencies and what a code is scanned with", () => {
    const names = cryptoTypes.map((type) => {
      const { name, currency, places, destinationName, scan } = paymentMethod(type);
      return [name, currency, places, destinationName, scan.name];
    });
    expect(names).toEqual([
      ["Bitcoin", "BTC", 8, "address", "Bitcoin"],
      ["Ethereum", "ETH", 8, "address", "Ethereum"],
      ["Thai Bank Transfer", "THB", 2, "account", "PromptPay"],
    ]);
  });

  it.each(cryptoTypes)("explains %s in whole sentences", (type) => {
    const { reference, scan, notes } = paymentMethod(type);
    expect(notes.length).toBeGreaterThan(1);
    for (const text of [scan.instruction, reference.description, reference.hint, ...notes])
      expect(text).toMatch(/^[A-Z].{20,}\.$/);
  });

  it.each(Object.entries(methodTexts))("has a whole sentence for the fault %s", (_code, text) => {
    expect(text).toMatch(/^[A-Z].{20,}\.$/);
  });

  it("says what an amount of a coin is worth, and nothing of baht", () => {
    expect(cryptoTypes.map((type) => paymentMethod(type).usdValue("0.1", settings))).toEqual(["4500.00", "300.00", null]);
  });
});

describe("the methods of a quote", () => {
  it("are all three, Bitcoin first, each with its amount and where to pay", () => {
    expect(quoteMethods("299.1", settings)).toEqual([
      { crypto_type: "bitcoin", available: true, amount_crypto: "0.00664667", wallet_address: "bc1qexample" },
      { crypto_type: "ethereum", available: true, amount_crypto: "0.09970000", wallet_address: "0xexample" },
      {
        crypto_type: "thai_bank",
        available: true,
        amount_crypto: "10468.50",
        wallet_address: "Bangkok Bank 123-4-56789-0",
        bank,
      },
    ]);
  });

  it("cannot be chosen before the operator has set them up", () => {
    expect(quoteMethods("497", defaultWalletSettings).map((method) => [method.available, method.wallet_address])).toEqual([
      [false, ""],
      [false, ""],
      [false, ""],
    ]);
  });

  it.each([
    ["no account number", { thai_bank_account_number: "" }],
    ["no bank name", { thai_bank_name: "" }],
  ])("leave the bank out with %s", (_what, missing) => {
    expect(quoteMethods("497", { ...settings, ...missing }).at(2)?.available).toBe(false);
  });
});

// PAY-10
it("a destination is current while it is in the settings or derived from their key", () => {
  const present = {
    ...settings,
    given_addresses: new Set(["bc1qgiven"]),
    saved: { ...settings, bitcoin_address: "bc1qwaiting" },
  };
  const isCurrent = (type: CryptoType, destination: string) => isCurrentDestination(type, destination, present);
  expect(isCurrent("bitcoin", "bc1qexample")).toBe(true);
  expect(isCurrent("bitcoin", "0xexample")).toBe(false);
  expect(isCurrent("bitcoin", "bc1qwaiting")).toBe(true);
  expect(isCurrent("bitcoin", "bc1qgiven")).toBe(true);
  expect(isCurrent("ethereum", "bc1qgiven")).toBe(false);
  expect(isCurrent("thai_bank", "Bangkok Bank 123-4-56789-0")).toBe(true);
  expect(isCurrent("thai_bank", "Bangkok Bank 1234567890")).toBe(true);
  expect(isCurrent("thai_bank", "Bangkok Bank 1234567891")).toBe(false);
  expect(isCurrent("thai_bank", "")).toBe(false);
});
