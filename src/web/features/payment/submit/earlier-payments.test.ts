import { expect, test } from "vitest";
import type { Quote } from "#domain/api/quotes";
import { earlierPayments } from "./earlier-payments.ts";

const method: Quote["methods"][number] = {
  crypto_type: "bitcoin",
  available: true,
  amount_crypto: "0.00994000",
  wallet_address: "bc1a",
};
const earlier = (id: string, amount_crypto: string, wallet_address = "bc1a"): Quote["earlier"][number] => ({
  id,
  amount_usd: "497",
  created_at: "2026-11-21T10:32:00Z",
  methods: [
    { crypto_type: "bitcoin", amount_crypto, wallet_address },
    { crypto_type: "thai_bank", amount_crypto: "17395.00", wallet_address: "Bank 1" },
  ],
});
const told = (quotes: Quote["earlier"], shown = method) =>
  earlierPayments({ earlier: quotes }, shown).map(({ quoteId, amountCrypto, isElsewhere }) => [
    quoteId,
    amountCrypto,
    isElsewhere,
  ]);

test("tells the amounts and the addresses that were shown before and are no more", () => {
  expect(told([earlier("b", "0.01104445"), earlier("a", "0.00994000", "bc1b")])).toEqual([
    ["b", "0.01104445", false],
    ["a", "0.00994000", true],
  ]);
});

test("stays silent about figures that are the same as now, told already, or nothing", () => {
  expect(told([earlier("a", "0.00994000")])).toEqual([]);
  expect(told([earlier("b", "0.01104445"), earlier("a", "0.01104445")])).toEqual([["b", "0.01104445", false]]);
  expect(told([earlier("a", "0.00000000")])).toEqual([]);
});

test("looks at the chosen method only", () => {
  const bank: typeof method = { ...method, crypto_type: "thai_bank", amount_crypto: "17395.00", wallet_address: "Bank 1" };
  expect(told([earlier("a", "0.01104445")], bank)).toEqual([]);
  expect(told([earlier("a", "0.01104445")], { ...bank, wallet_address: "Bank 2" })).toEqual([["a", "17395.00", true]]);
  expect(told([earlier("a", "0.01104445")], { ...method, crypto_type: "ethereum" })).toEqual([]);
});
