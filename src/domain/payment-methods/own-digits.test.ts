import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimal } from "../money.ts";
import { cryptoTypes, paymentMethod } from "./methods.ts";
import { ownDigitsCount, withOwnDigits } from "./own-digits.ts";

// QUOTE-8
describe("the last digits of an amount", () => {
  it.each([
    ["thai_bank", "17395.00", 7, "17395.07"],
    ["thai_bank", "17395.50", 99, "17396.49"],
    ["bitcoin", "0.01104444", 999, "0.01105443"],
    ["ethereum", "0.16566667", 1, "0.16566668"],
    ["bitcoin", "0.00000001", 1, "0.00000002"],
  ] as const)("of %s %s and %i more are %s", (type, amount, units, expected) => {
    expect(withOwnDigits(type, amount, units)).toBe(expected);
  });

  it.each([
    ["thai_bank", "0.99"],
    ["bitcoin", "0.00000999"],
    ["ethereum", "0.00000999"],
  ] as const)("of %s add at most %s, and ten times as much in a wider range", (type, most) => {
    expect(withOwnDigits(type, "0", ownDigitsCount(type, 1))).toBe(most);
    expect(decimal(withOwnDigits(type, "0", ownDigitsCount(type, 10))).lt(decimal(most).times(10.1))).toBe(true);
    expect(ownDigitsCount(type, 10)).toBe(10 * (ownDigitsCount(type, 1) + 1) - 1);
  });

  it("differ wherever the units differ, and always add something", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cryptoTypes),
        fc.integer({ min: 1, max: 999 }),
        fc.integer({ min: 1, max: 999 }),
        (type, one, other) => {
          const amount = paymentMethod(type).amountFor("497", {
            bitcoin_price_usd: "45000",
            ethereum_price_usd: "3000",
          } as never);
          const [first, second] = [one, other].map((units) => withOwnDigits(type, amount, units));
          expect(first === second).toBe(one === other);
          expect(decimal(first!).gt(amount)).toBe(true);
        },
      ),
    );
  });
});
