import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdReasonOf, warningsOf, type KnownPrice } from "./coin-price.ts";

const now = new Date("2026-11-22T12:00:00Z");
const secondsAgo = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
const day = 24 * 3600;
const price: KnownPrice = {
  usd: "60000",
  set_at: secondsAgo(60),
  public_price: { usd: "60000", at: secondsAgo(60) },
  held_reason: null,
};
const warned = (changes: Partial<KnownPrice>) => warningsOf({ ...price, ...changes }, now);

// PRICE-2.
describe("the warnings of a price", () => {
  it("has no warning for a recent price near the public one", () => {
    expect(warned({})).toEqual([]);
  });

  it("warns of a default that nobody set, not of its age", () => {
    expect(warned({ set_at: null })).toEqual(["never_set"]);
  });

  it.each([
    [day, []],
    [day + 1, ["old"]],
    // A clock that was ahead.
    [-day, []],
    [-day - 1, ["old"]],
  ])("warns of a price set %d seconds ago: %j", (seconds, warnings) => {
    expect(warned({ set_at: secondsAgo(seconds) })).toEqual(warnings);
  });

  it.each([
    ["63000", []],
    ["63000.01", ["off_public"]],
    ["57000", []],
    ["56999.99", ["off_public"]],
  ])("warns of a price of %s USD where the public one is 60000: %j", (usd, warnings) => {
    expect(warned({ usd })).toEqual(warnings);
  });

  it.each([null, { usd: "1", at: secondsAgo(day + 1) }, { usd: "1", at: secondsAgo(-day - 1) }])(
    "compares a price with no public one that is unknown or old: %j",
    (public_price) => {
      expect(warned({ public_price })).toEqual([]);
    },
  );

  it("warns of a refresh that was held first", () => {
    expect(warned({ held_reason: "large_step", usd: "1", set_at: secondsAgo(2 * day) })).toEqual([
      "large_step",
      "off_public",
      "old",
    ]);
    expect(warned({ held_reason: "out_of_bounds" })).toEqual(["out_of_bounds"]);
  });
});

// PRICE-4.
describe("a public price", () => {
  const bounds = { lowest_usd: "50000", highest_usd: "70000" };
  const unbounded = { lowest_usd: null, highest_usd: null };

  it.each([
    ["50000", undefined],
    ["70000", undefined],
    ["49999.99", "out_of_bounds"],
    ["70000.01", "out_of_bounds"],
  ])("is taken only within the bounds: %s", (usd, reason) => {
    expect(holdReasonOf(usd, "60000", bounds)).toBe(reason);
  });

  it.each([
    ["72000", undefined],
    ["48000", undefined],
    ["72000.01", "large_step"],
    ["47999.99", "large_step"],
  ])("is taken only up to 20%% off the price so far: %s", (usd, reason) => {
    expect(holdReasonOf(usd, "60000", unbounded)).toBe(reason);
  });

  it("is taken exactly within the bounds and 20% of the price so far", () => {
    const usdOf = (cents: number): string => (cents / 100).toFixed(2);
    /** In cents: a price and the bounds are from half of the price before to half more, so that many of them are taken. */
    const prices = fc.integer({ min: 100, max: 10_000_000 }).chain((before) => {
      const near = fc.integer({ min: Math.ceil(before * 0.5), max: Math.floor(before * 1.5) });
      return fc.record({ before: fc.constant(before), next: near, lowest: fc.option(near), highest: fc.option(near) });
    });
    fc.assert(
      fc.property(prices, ({ before, next, lowest, highest }) => {
        const limits = {
          lowest_usd: lowest === null ? null : usdOf(lowest),
          highest_usd: highest === null ? null : usdOf(highest),
        };
        const isWithin = next >= (lowest ?? 0) && next <= (highest ?? Infinity);
        const isNear = Math.abs(next - before) * 5 <= before;
        const reason = isNear ? undefined : "large_step";
        expect(holdReasonOf(usdOf(next), usdOf(before), limits)).toBe(isWithin ? reason : "out_of_bounds");
      }),
      { numRuns: 1000 },
    );
  });
});
