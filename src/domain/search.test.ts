import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchWords, withBareAmounts, withPlainAmounts } from "./search.ts";

// LIST-2.
describe("the words of a search", () => {
  it.each([
    ["", []],
    ["  \t ", []],
    [" Anna   Smith ", ["Anna", "Smith"]],
    ["สมชาย ใจดี", ["สมชาย", "ใจดี"]],
    ["Nguye\u0302\u0303n", ["Nguy\u1ec5n"]],
    ["Παύλος ΠΑΎΛΟΣ", ["Παύλοσ", "ΠΑΎΛΟσ"]],
    ["Eth Smith", ["Eth", "Smith"]],
    ["10.0", ["10.0"]],
    ["a b c d e f g h i j k", ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]],
  ])("are taken from %j", (search, words) => {
    expect(searchWords(search)).toEqual(words);
  });

  it("are ten at most, without spaces and never empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (search) => {
        const words = searchWords(search);
        expect(words.length).toBeLessThanOrEqual(10);
        for (const word of words) expect(word).toMatch(/^\S+$/u);
        expect(words.length > 0).toBe(search.trim() !== "");
      }),
    );
  });
});

// LIST-2.
describe("a search of what has amounts", () => {
  it.each([
    ["497", "497"],
    ["497.00 USD", "497"],
    ["usd 497", "497"],
    ["Anna 497 USD  Smith", "Anna 497 Smith"],
    ["$997", "997"],
    ["฿17,395.50", "17395.5"],
    ["฿17,395.50 THB", "17395.5"],
    ["17,395.00 THB", "17395"],
    ["0.0071", "0.0071"],
    ["0.00710 BTC", "0.0071"],
    ["100", "100"],
    ["1.050", "1.05"],
    ["100.00", "100"],
    ["1.2.3", "1.2.3"],
    ["2026-00001", "2026-00001"],
    ["0x00", "0x00"],
    ["USD", "USD"],
    ["$", "$"],
    ["Eth Smith", "Eth Smith"],
    ["Eth Smith 497", "Eth Smith 497"],
    ["497 Smith THB", "497 Smith THB"],
    [" ", ""],
  ])("has them as they are stored: %j", (search, plain) => {
    expect(withPlainAmounts(search)).toBe(plain);
  });
});

// AUDIT-4.
describe("a search of the audit log", () => {
  it.each([
    ["64,250.5 USD", "64250.5"],
    ["10,000.00", "10000.00"],
    ["10.0", "10.0"],
    ["203.0.113.7", "203.0.113.7"],
    ["Eth Smith", "Eth Smith"],
  ])("has amounts without separators: %j", (search, plain) => {
    expect(withBareAmounts(search)).toBe(plain);
  });
});
