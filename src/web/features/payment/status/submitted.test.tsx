// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { Submitted } from "./submitted.tsx";

vi.mock("../../../platform/api.ts", () => ({
  api: {
    paymentRequests: {
      mine: vi.fn<() => unknown>(),
      approvalTime: () => Promise.resolve({ typical_seconds: null }),
    },
  },
}));

const rejected = { id: "1", status: "rejected", amount_owed: null, resubmits: null } as PaymentRequest;
const pending = {
  id: "2",
  package_type: "starter",
  status: "pending",
  crypto_type: "thai_bank",
  amount_crypto: "17395.00",
  wallet_address: "Bank 1",
  paid_by_earlier_quote: null,
  resubmits: "1",
  created_at: "2026-11-21T00:00:00Z",
} as PaymentRequest;

const nothingMore = /There is nothing more to pay\.$/;
const restIsChecked = /We check whether the rest has arrived\.$/;

// DECIDE-7
test.each([
  ["the whole amount is said to be sent", [{ ...pending, resubmits: null }], nothingMore],
  ["the former request was rejected for another reason", [pending, rejected], nothingMore],
  ["only a part had arrived for the former request", [pending, { ...rejected, amount_owed: "395.00" }], restIsChecked],
])("says what is to be paid where %s", async (_, items, expected) => {
  vi.mocked(api.paymentRequests.mine).mockResolvedValue({ items, next_cursor: null });
  show(<Submitted request={items[0]!} onLeave={() => {}} />);
  expect((await screen.findByText(expected)).textContent).toContain("17,395.00 THB");
});
