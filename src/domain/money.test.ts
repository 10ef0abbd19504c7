import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical, decimal, isPlainDecimal, rounded, usdText } from "./money.ts";

/** A decimal string of a whole number of smallest units, as people write it. */
const inUnits = (units: bigint, places: number): string => {
  const digits = units.toString().padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

const manyUnits = fc.bigInt({ min: 0n, max: 10n ** 20n });

// TEXT-3
it.each([
  ["60000", "60,000"],
  ["64250.50", "64,250.5"],
  ["0.01", "0.01"],
  ["100000000", "100,000,000"],
])("an amount of %s USD is displayed as %s", (given, wanted) => expect(usdText(given)).toBe(wanted));

describe("a canonical amount", () => {
  it.each([
    ["299.10", "299.1"],
    ["497.00", "497"],
    ["0.00000001", "0.00000001"],
    ["0.0", "0"],
    ["007.50", "7.5"],
    ["1e3", "1000"],
    ["1e-9", "0.000000001"],
  ])("writes %s as %s", (given, wanted) => expect(canonical(given)).toBe(wanted));

  it("is never in exponent form, however small or large", () => {
    fc.assert(
      fc.property(manyUnits, fc.integer({ min: 0, max: 30 }), (units, places) => {
        expect(canonical(inUnits(units, places))).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      }),
    );
  });

  it("is worth exactly what was given", () => {
    fc.assert(
      fc.property(manyUnits, fc.integer({ min: 0, max: 30 }), (units, places) => {
        const given = inUnits(units, places);
        expect(decimal(canonical(given)).eq(decimal(given))).toBe(true);
      }),
    );
  });

  it.each(["", "abc", "x5", "1x", "1.x5", "12,5", "NaN", "Infinity", "0x10", "1 2"])("refuses %j", (text) => {
    expect(() => canonical(text)).toThrow("Invalid number");
  });
});

describe("rounding", () => {
  it.each([
    ["0.125", 2, "0.13"],
    ["0.124999999", 2, "0.12"],
    ["10468.5", 2, "10468.50"],
    ["0.000000005", 8, "0.00000001"],
    ["0.00000000499999", 8, "0.00000000"],
    ["2.675", 2, "2.68"],
    ["999.995", 2, "1000.00"],
  ])("takes %s to %i places half up: %s", (given, places, wanted) => expect(rounded(given, places)).toBe(wanted));

  it("moves an amount by at most half a unit, and a half always upwards", () => {
    fc.assert(
      fc.property(manyUnits, fc.constantFrom(2, 8), (units, places) => {
        const error = decimal(rounded(inUnits(units, places + 3), places)).minus(inUnits(units, places + 3));
        expect(error.abs().lte(inUnits(500n, places + 3))).toBe(true);
        if (units % 1000n === 500n) expect(error.gt(0)).toBe(true);
      }),
    );
  });

  it.each([
    ["satoshi", 8],
    ["satang", 2],
  ])("loses no %s on the way from units to text and back", (_unit, places) => {
    fc.assert(
      fc.property(manyUnits, (units) => {
        const text = rounded(inUnits(units, places), places);
        expect(text).toBe(inUnits(units, places));
        expect(
          BigInt(
            decimal(text)
              .times(10 ** places)
              .toFixed(),
          ),
        ).toBe(units);
        expect(rounded(canonical(text), places)).toBe(text);
      }),
    );
  });
});

describe("a plain decimal", () => {
  it.each(["0", "1", "0.5", "45000", "45000.25", "999999999999999"])("can be %s", (text) => {
    expect(isPlainDecimal(text, 2)).toBe(true);
  });

  it.each(["", "-1", "+1", "01", "1.", ".5", "1.234", "1e5", "1,5", "١", "1000000000000000", " 1", "1\n"])(
    "cannot be %j",
    (text) => expect(isPlainDecimal(text, 2)).toBe(false),
  );
});
