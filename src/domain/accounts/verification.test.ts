import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  codeLifetimeSeconds,
  digitsOf,
  firstCode,
  isCompleteCode,
  lastCode,
  maxTriesPerCode,
  secondsUntilResend,
  strangersPauseSeconds,
  triesLeft,
} from "./verification.ts";

describe("a verification code", () => {
  it("holds for 10 minutes and 5 tries", () => expect([codeLifetimeSeconds, maxTriesPerCode]).toEqual([600, 5]));

  it("has five tries minus those used, never below zero", () => {
    expect([0, 1, 4, 5, 6].map(triesLeft)).toEqual([5, 4, 1, 0, 0]);
  });

  // VERIFY-3
  it("lets a stranger replace a code after half its life, or once its tries are used", () => {
    expect([0, 4, 5, 6].map(strangersPauseSeconds)).toEqual([300, 300, 60, 60]);
  });

  it.each(["100000", "999999", "012345"])("is complete with six digits: %s", (code) => {
    expect(isCompleteCode(code)).toBe(true);
  });

  it.each(["", "12345", "1234567", "12345a", "123 456", "123456\n", "１２３４５６", "-12345"])(
    "is not complete as %j",
    (code) => {
      expect(isCompleteCode(code)).toBe(false);
    },
  );

  it("is complete wherever it is drawn", () => {
    fc.assert(fc.property(fc.integer({ min: firstCode, max: lastCode }), (code) => isCompleteCode(String(code))));
    expect([firstCode, lastCode]).toEqual([100_000, 999_999]);
  });
});

describe("what is pasted", () => {
  it.each([
    ["123456", "123456"],
    [" 123 456 ", "123456"],
    ["Your code is 123-456.", "123456"],
    ["1234567890", "123456"],
    ["12", "12"],
    ["no digits", ""],
    ["१२३456", "456"],
  ])("%j keeps the first six digits: %j", (text, digits) => expect(digitsOf(text)).toBe(digits));

  it("returns at most six digits and nothing else", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => /^\d{0,6}$/.test(digitsOf(text))));
  });
});

describe("the pause before another code", () => {
  it.each([
    [0, 60],
    [1, 60],
    [999, 60],
    [1_000, 59],
    [59_000, 1],
    [59_999, 1],
    [60_000, 0],
    [61_000, 0],
    [1e12, 0],
  ])("after %i ms is %i more seconds", (passed, wait) => {
    expect(secondsUntilResend(1_790_000_000_000, 1_790_000_000_000 + passed)).toBe(wait);
  });

  it.each([
    [-5_000, 60],
    [-60_000, 60],
    [-61_000, 0],
    [-86_400_000, 0],
  ])("is no longer after a clock was set back, as %i ms after the code", (passed, wait) => {
    expect(secondsUntilResend(1_790_000_000_000, 1_790_000_000_000 + passed)).toBe(wait);
  });

  it("is over once that many seconds have passed, and not a second before", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 120_000 }), (passed) => {
        const wait = secondsUntilResend(0, passed);
        expect(secondsUntilResend(0, passed + wait * 1000)).toBe(0);
        if (wait > 0) expect(secondsUntilResend(0, passed + (wait - 1) * 1000)).toBeGreaterThan(0);
      }),
    );
  });
});
