import { expect, test } from "vitest";
import type { Quote } from "#domain/api/payments/quotes";
import type { QuotedMethod } from "#domain/payment-methods/methods";
import { earlierPayments } from "./earlier-payments.ts";

const method: QuotedMethod = {
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
const payments = (quotes: Quote["earlier"], current = method) =>
  earlierPayments({ earlier: quotes }, current).map(({ quoteId, amountCrypto, hasOtherDestination }) => [
    quoteId,
    amountCrypto,
    hasOtherDestination,
  ]);

test("returns the amounts and addresses that are no longer current", () => {
  expect(payments([earlier("b", "0.01104445"), earlier("a", "0.00994000", "bc1b")])).toEqual([
    ["b", "0.01104445", false],
    ["a", "0.00994000", true],
  ]);
});

test("leaves out figures that are current, repeated or zero", () => {
  expect(payments([earlier("a", "0.00994000")])).toEqual([]);
  expect(payments([earlier("b", "0.01104445"), earlier("a", "0.01104445")])).toEqual([["b", "0.01104445", false]]);
  expect(payments([earlier("a", "0.00000000")])).toEqual([]);
});

test("compares the figures of the selected method only", () => {
  const bank: typeof method = { ...method, crypto_type: "thai_bank", amount_crypto: "17395.00", wallet_address: "Bank 1" };
  expect(payments([earlier("a", "0.01104445")], bank)).toEqual([]);
  expect(payments([earlier("a", "0.01104445")], { ...bank, wallet_address: "Bank -1" })).toEqual([]);
  expect(payments([earlier("a", "0.01104445")], { ...bank, amount_crypto: "1.00", wallet_address: "Bank -1" })).toEqual([
    ["a", "17395.00", false],
  ]);
  expect(payments([earlier("a", "0.01104445")], { ...bank, wallet_address: "Bank 2" })).toEqual([["a", "17395.00", true]]);
  expect(payments([earlier("a", "0.01104445")], { ...method, crypto_type: "ethereum" })).toEqual([]);
});
