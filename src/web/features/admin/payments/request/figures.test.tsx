// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import { show } from "../../../../../../tests/support/render.tsx";
import { Figures } from "./figures.tsx";

vi.mock("../../../../platform/api.ts", () => ({ api: {} }));

const part = {
  package_type: "starter",
  payer_tier: "unpaid",
  status: "pending",
  original_usd: "497",
  amount_usd: "497",
  coupon_code: null,
  upgrade_credit_usd: "0",
  crypto_type: "thai_bank",
  amount_crypto: "17395.00",
  wallet_address: "Bank 1",
  usd_at_current_price: null,
  reference: null,
  paid_by_earlier_quote: null,
  amount_received: "17000.00",
  amount_owed: "395.00",
  rest: null,
  parts: [],
  note: null,
  quoted_at: null,
  created_at: "2026-11-21T00:00:00Z",
} as unknown as PaymentRequestDetail;
const asked = { asked_at: "now" } as PaymentRequestDetail["rest"];

// PART-4, DECIDE-7
test.each<[string, Partial<PaymentRequestDetail>, boolean]>([
  ["the rest is asked for", { rest: asked }, true],
  ["the rest was sent", {}, false],
  ["the rest is asked for a package that its student has", { rest: asked, payer_tier: "advanced" }, false],
  ["the account was deleted since", { rest: asked, payer_tier: null }, false],
  ["it was rejected", { status: "rejected" }, true],
  ["its student has the package by now", { status: "rejected", payer_tier: "starter" }, false],
  ["its student has a better one", { status: "rejected", payer_tier: "advanced" }, false],
  ["the account of a rejected one is deleted", { status: "rejected", payer_tier: null }, false],
])("the figures have what is still to pay where %s", (_state, given, expected) => {
  show(<Figures request={{ ...part, ...given }} />);
  expect(screen.getByText("Received")).toBeDefined();
  expect(screen.queryByText("Still to pay") !== null).toBe(expected);
});
