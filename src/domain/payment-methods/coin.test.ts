import { expect, it } from "vitest";
import { isPriceUsd } from "./coin.ts";

it.each(["0.01", "1", "45000", "64250.5", "100000000", "100000000.00"])("accepts %s as a coin's price", (text) => {
  expect(isPriceUsd(text)).toBe(true);
});

it.each(["0", "0.00", "0.009", "-1", "100000000.01", "1e5", "NaN", "Infinity", "", " 1", "12.345", "0x10"])(
  "refuses %j as a coin's price",
  (text) => {
    expect(isPriceUsd(text)).toBe(false);
  },
);
