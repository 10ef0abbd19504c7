import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discountPercent, launchCoupon } from "./coupon.ts";
import { decimal } from "../money.ts";
import { decimals } from "../../../tests/support/domain/decimals.ts";
import { discounted, priceOf, quoteLifetimeSeconds } from "./quote.ts";

const percents = decimals(2, 100);
const prices = decimals(2, 10_000_000);
const plain = /^(0|[1-9]\d*)(\.\d*[1-9])?$/;

it("a quote holds for 30 minutes", () => expect(quoteLifetimeSeconds).toBe(1800));

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
  it("Starter costs 248.5 USD", () => {
    expect(priceOf("starter", discountPercent(launchCoupon, "starter")).amountUsd).toBe("248.5");
  });
});

describe("a price", () => {
  it("is the package's own without a coupon", () => {
    expect(priceOf("starter", "0")).toEqual({
      originalUsd: "497",
      discountUsd: "0",
      upgradeCreditUsd: "0",
      amountUsd: "497",
      discountPercent: "0",
    });
    expect(priceOf("advanced", "0").amountUsd).toBe("997");
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

  it("minus discount and credit equals the amount; the credit is at most what is left", () => {
    fc.assert(
      fc.property(prices, percents, prices, (price, percent, paid) => {
        const { originalUsd, discountUsd, upgradeCreditUsd, amountUsd } = discounted(price, percent, paid);
        expect(decimal(originalUsd).minus(discountUsd).minus(upgradeCreditUsd).toFixed()).toBe(amountUsd);
        expect(decimal(upgradeCreditUsd).eq(paid) || amountUsd === "0").toBe(true);
        expect(decimal(upgradeCreditUsd).lte(paid) && decimal(amountUsd).gte(0)).toBe(true);
      }),
    );
  });

  it("charges 50.6 USD for Advanced with LUNCH after 248.5 USD paid for Starter", () => {
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
