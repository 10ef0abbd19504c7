import { expect, test } from "vitest";
import { skipOf } from "./taps.ts";

const tap = (share: number, at: number) => ({ share, at });

/** WATCH-7. */
test("two quick taps at one side skip ten seconds", () => {
  expect(skipOf(tap(0.1, 0), tap(0.2, 300))).toBe(-10);
  expect(skipOf(tap(0.9, 0), tap(0.7, 300))).toBe(10);
});

test("slow taps, taps at both sides, in the middle, and a first one skip nothing", () => {
  expect(skipOf(tap(0.1, 0), tap(0.1, 400))).toBe(0);
  expect(skipOf(tap(0.1, 0), tap(0.9, 100))).toBe(0);
  expect(skipOf(tap(0.5, 0), tap(0.5, 100))).toBe(0);
  expect(skipOf(undefined, tap(0.1, 100))).toBe(0);
});
