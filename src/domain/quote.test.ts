import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discountPercent, launchCoupon } from "./coupon.ts";
import { decimal } from "./money.ts";
import { amountInCurrency, discounted, priceOf, quoteMethods } from "./quote.ts";
import { defaultWalletSettings, type WalletSettings } from "./wallet-settings.ts";

const settings: WalletSettings = {
  ...defaultWalletSettings,
  bitcoin_address: "bc1qexample",
  ethereum_address: "0xexample",
  thai_bank_name: "Bangkok Bank",
  thai_bank_account_number: "123-4-56789-0",
};

/** A decimal string with at most `places` digits after the point. */
const decimals = (places: number, max: number) =>
  fc.integer({ min: 0, max: max * 10 ** places }).map((units) =>
    decimal(String(units))
      .div(10 ** places)
      .toFixed(),
  );

const percents = decimals(2, 100);
const prices = decimals(2, 10_000_000);
const rates = prices.filter((rate) => decimal(rate).gt(0));
const plain = /^(0|[1-9]\d*)(\.\d*[1-9])?$/;

describe("with LUNCH", () => {
  const advanced = priceOf("advanced", discountPercent(launchCoupon, "advanced"));

  it("Advanced costs 299.1 USD, not 299.10000000000002", () => {
    expect(advanced).toEqual({
      originalUsd: "997",
      discountUsd: "697.9",
      upgradeCreditUsd: "0",
      amountUsd: "299.1",
      discountPercent: "70",
    });
  });
  it("Advanced costs 0.00664667 BTC at 45000", () => {
    expect(amountInCurrency(advanced.amountUsd, "bitcoin", settings)).toBe("0.00664667");
  });
  it("Advanced costs 0.09970000 ETH at 3000", () => {
    expect(amountInCurrency(advanced.amountUsd, "ethereum", settings)).toBe("0.09970000");
  });
  it("Advanced costs 10468.50 THB", () => {
    expect(amountInCurrency(advanced.amountUsd, "thai_bank", settings)).toBe("10468.50");
  });
  it("Starter costs 248.5 USD", () => {
    expect(priceOf("starter", discountPercent(launchCoupon, "starter")).amountUsd).toBe("248.5");
  });
});

describe("a price", () => {
  it("is the package's own without a coupon", () => {
    expect(priceOf("starter")).toEqual({
      originalUsd: "497",
      discountUsd: "0",
      upgradeCreditUsd: "0",
      amountUsd: "497",
      discountPercent: "0",
    });
    expect(priceOf("advanced").amountUsd).toBe("997");
  });

  it("is 0, without a sign, at 100 percent off", () => expect(priceOf("advanced", "100").amountUsd).toBe("0"));

  it("is not rounded: 997 at 33.33 percent off is 664.6999", () => {
    expect(priceOf("advanced", "33.33").amountUsd).toBe("664.6999");
  });

  it("plus its discount is the original, to the last digit, for any price and percent", () => {
    fc.assert(
      fc.property(prices, percents, (price, percent) => {
        const { originalUsd, discountUsd, amountUsd } = discounted(price, percent);
        expect(decimal(originalUsd).minus(discountUsd).toFixed()).toBe(amountUsd);
        expect(decimal(discountUsd).times(100).eq(decimal(price).times(percent))).toBe(true);
      }),
    );
  });

  it("less its discount and its credit is the amount, to the last digit, and the credit is never more than what is left", () => {
    fc.assert(
      fc.property(prices, percents, prices, (price, percent, paid) => {
        const { originalUsd, discountUsd, upgradeCreditUsd, amountUsd } = discounted(price, percent, paid);
        expect(decimal(originalUsd).minus(discountUsd).minus(upgradeCreditUsd).toFixed()).toBe(amountUsd);
        expect(decimal(upgradeCreditUsd).eq(paid) || amountUsd === "0").toBe(true);
        expect(decimal(upgradeCreditUsd).lte(paid) && decimal(amountUsd).gte(0)).toBe(true);
      }),
    );
  });

  it("of Advanced with LUNCH is 50.6 for who paid 248.5 for Starter", () => {
    expect(priceOf("advanced", "70", "248.5")).toMatchObject({ upgradeCreditUsd: "248.5", amountUsd: "50.6" });
    expect(priceOf("advanced", "70", "497")).toMatchObject({ upgradeCreditUsd: "299.1", amountUsd: "0" });
  });

  it("is never below 0, above the original, or written with an exponent", () => {
    fc.assert(
      fc.property(prices, percents, (price, percent) => {
        const found = discounted(price, percent);
        expect(decimal(found.amountUsd).gte(0) && decimal(found.amountUsd).lte(price)).toBe(true);
        for (const amount of Object.values(found)) expect(amount).toMatch(plain);
      }),
    );
  });
});

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

describe("an amount in another currency", () => {
  it.each(["bitcoin", "ethereum"] as const)("in %s is USD over the rate, to 8 decimals half up, exactly", (coin) => {
    fc.assert(
      fc.property(prices, percents, rates, (price, percent, rate) => {
        const usd = discounted(price, percent).amountUsd;
        const amount = amountInCurrency(usd, coin, { ...settings, bitcoin_price_usd: rate, ethereum_price_usd: rate });
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
        const amount = amountInCurrency(usd, "thai_bank", settings);
        expect(scaled(amount, 2)).toBe(halfUp(scaled(usd, 6) * 35n * 100n, 10n ** 6n));
        expect(amount).toMatch(/^\d+\.\d{2}$/);
      }),
    );
  });

  it("rounds half a satoshi up", () => {
    // 1.5 satoshi.
    expect(amountInCurrency("0.96", "bitcoin", { ...settings, bitcoin_price_usd: "64000000" })).toBe("0.00000002");
  });
});

describe("the methods of a quote", () => {
  it("are all three, Bitcoin first, each with its amount and where to pay", () => {
    expect(quoteMethods("299.1", settings)).toEqual([
      { crypto_type: "bitcoin", available: true, amount_crypto: "0.00664667", wallet_address: "bc1qexample" },
      { crypto_type: "ethereum", available: true, amount_crypto: "0.09970000", wallet_address: "0xexample" },
      { crypto_type: "thai_bank", available: true, amount_crypto: "10468.50", wallet_address: "Bangkok Bank 123-4-56789-0" },
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
