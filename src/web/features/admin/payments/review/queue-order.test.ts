import { expect, test } from "vitest";
import { neighbour, nextToDecide } from "./queue-order.ts";

const queue = (text: string) => [...text].map((id) => ({ id, status: /[A-Z]/.test(id) ? "approved" : "pending" }));

test.each([
  ["abc", "a", 1, "b"],
  ["abc", "c", 1, undefined],
  ["abc", "b", -1, "a"],
  ["abc", "a", -1, undefined],
  ["aBc", "a", 1, "c"],
  ["aBc", "B", 1, "c"],
  ["aBc", "B", -1, "a"],
  ["Abc", "x", 1, "b"],
  ["", "x", 1, undefined],
] as const)("of %s, from %s by %i, the request is %s", (all, from, steps, expected) => {
  expect(neighbour(queue(all), from, steps)).toBe(expected);
});

test.each([
  ["abc", "a", "b"],
  ["abc", "c", "b"],
  ["a", "a", undefined],
  ["aBC", "a", undefined],
  ["aBc", "c", "a"],
] as const)("of %s, after %s, %s is decided next", (all, decided, expected) => {
  expect(nextToDecide(queue(all), decided)).toBe(expected);
});
