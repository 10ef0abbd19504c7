import { expect, it } from "vitest";
import { isFarPrice, isPriceUsd, usdOfCoin } from "./coin.ts";

it.each(["0.01", "1", "45000", "64250.5", "100000000", "100000000.00"])("accepts %s as a coin's price", (text) => {
  expect(isPriceUsd(text)).toBe(true);
});

it.each(["0", "0.00", "0.009", "-1", "100000000.01", "1e5", "NaN", "Infinity", "", " 1", "12.345", "0x10"])(
  "refuses %j as a coin's price",
  (text) => {
    expect(isPriceUsd(text)).toBe(false);
  },
);

it.each([
  ["0.00664667", "45000", "299.10"],
  ["0.0997", "3000", "299.10"],
  ["0.00000001", "64250.5", "0.00"],
  ["1.5", "0.01", "0.02"],
])("says that %s of a coin at %s USD is worth %s USD", (amount, price, worth) => {
  expect(usdOfCoin(amount, price)).toBe(worth);
});

// STEPUP-2
it.each([
  ["120", false],
  ["120.01", true],
  ["80", false],
  ["79.99", true],
])("finds a price of %s far from the last one of 100: %s", (price, isFar) => expect(isFarPrice(price, "100")).toBe(isFar));
