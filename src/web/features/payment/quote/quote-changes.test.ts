import { expect, test } from "vitest";
import type { Quote } from "#domain/api/payments/quotes";
import type { QuotedMethod } from "#domain/payment-methods/methods";
import { placeChanges, quoteChanges } from "./quote-changes.ts";

const quote: Quote = {
  id: "00000000-0000-4000-8000-000000000001",
  package_type: "advanced",
  coupon_code: "LUNCH",
  coupon_held: false,
  discount_percent: "70",
  original_usd: "997",
  discount_usd: "697.9",
  upgrade_credit_usd: "0",
  amount_usd: "299.1",
  created_at: "2026-11-21T00:00:00Z",
  expires_at: "2026-11-21T00:30:00Z",
  methods: [
    { crypto_type: "bitcoin", available: true, amount_crypto: "0.00664667", wallet_address: "bc1a" },
    { crypto_type: "ethereum", available: false, amount_crypto: "0.09970000", wallet_address: "" },
    {
      crypto_type: "thai_bank",
      available: true,
      amount_crypto: "10468.50",
      wallet_address: "Bank 1",
      bank: { name: "Bank", account_number: "1", account_name: "A", promptpay_id: "" },
    },
  ],
  earlier: [],
  is_sample: false,
};

const withMethod = (index: number, changes: Partial<QuotedMethod>): Quote => ({
  ...quote,
  methods: quote.methods.map((method, at) => (at === index ? { ...method, ...changes } : method)),
});

test("an unchanged quote has no changes", () => {
  expect(quoteChanges(quote, { ...quote, id: "other", expires_at: "2026-11-21T01:00:00Z" })).toEqual([]);
});

test("names the amount, the address and the account that changed", () => {
  expect(quoteChanges(quote, withMethod(0, { amount_crypto: "0.00700000", wallet_address: "bc1b" }))).toEqual([
    "Bitcoin: the amount is now 0.00700000 BTC instead of 0.00664667 BTC.",
    "Bitcoin: the address has changed. Please do not use the old one.",
  ]);
  expect(
    quoteChanges(quote, withMethod(2, { bank: { name: "Bank", account_number: "2", account_name: "A", promptpay_id: "" } })),
  ).toEqual(["Thai Bank Transfer: the bank account has changed. Please do not use the old one."]);
});

test("finds an account the same whose number is written in another way", () => {
  const account = (account_number: string, account_name = "A"): Partial<QuotedMethod> => ({
    wallet_address: `Bank ${account_number}`,
    bank: { name: "Bank", account_number, account_name, promptpay_id: "" },
  });
  expect(quoteChanges(withMethod(2, account("12-3")), withMethod(2, account("123")))).toEqual([]);
  expect(quoteChanges(withMethod(2, account("12-3")), withMethod(2, account("123", "B")))).toHaveLength(1);
});

test("names methods that come and go, and ignores unavailable ones", () => {
  expect(quoteChanges(quote, withMethod(1, { available: true, wallet_address: "0xb" }))).toEqual([
    "Ethereum is now available.",
  ]);
  expect(quoteChanges(quote, withMethod(0, { available: false, wallet_address: "" }))).toEqual([
    "Bitcoin is no longer available.",
  ]);
  expect(quoteChanges(quote, withMethod(1, { amount_crypto: "9" }))).toEqual([]);
});

test("names a coupon that has ended and the price without it", () => {
  const after = { ...quote, coupon_code: null, discount_percent: "0", amount_usd: "997" };
  expect(quoteChanges(quote, after)).toEqual([
    "The coupon LUNCH no longer applies.",
    "The price is now $997 USD instead of $299.1 USD.",
  ]);
});

test("names a credit that comes, goes or changes", () => {
  const withCredit = (upgrade_credit_usd: string, amount_usd: string): Quote => ({ ...quote, upgrade_credit_usd, amount_usd });
  expect(quoteChanges(quote, withCredit("248.5", "50.6"))).toEqual([
    "The $248.5 you paid for Starter are now taken off.",
    "The price is now $50.6 USD instead of $299.1 USD.",
  ]);
  expect(quoteChanges(withCredit("248.5", "50.6"), quote)).toEqual([
    "The $248.5 you paid for Starter no longer count.",
    "The price is now $299.1 USD instead of $50.6 USD.",
  ]);
  expect(quoteChanges(withCredit("248.5", "50.6"), withCredit("100", "199.1"))[0]).toBe(
    "What you paid for Starter now counts $100 instead of $248.5.",
  );
});

test("placeChanges names changed destinations, not changed amounts", () => {
  const [bitcoin, ethereum, bank] = quote.methods;
  const cheaper = {
    ...quote,
    amount_usd: "149.55",
    methods: quote.methods.map((m) => ({ ...m, amount_crypto: "0.00332334" })),
  };
  expect(placeChanges(quote, cheaper)).toEqual([]);
  const moved = { ...quote, methods: [{ ...bitcoin!, wallet_address: "bc1b" }, ethereum!, { ...bank!, available: false }] };
  expect(placeChanges(quote, moved)).toEqual([
    "Bitcoin: the address has changed. Please do not use the old one.",
    "Thai Bank Transfer is no longer available.",
  ]);
});
