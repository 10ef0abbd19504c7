// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { PaymentRequest } from "#domain/api/payment-requests";
import type { SubscriptionStatus } from "#domain/packages";
import { show } from "../../../../tests/support/render.tsx";
import { api } from "../../platform/api.ts";
import { LastRequest } from "./last-request.tsx";

let tier: SubscriptionStatus = "unpaid";
vi.mock("../../entities/session/session.tsx", () => ({ useMe: () => ({ subscription_status: tier }) }));
vi.mock("../../platform/api.ts", () => ({
  api: {
    paymentRequests: {
      mine: vi.fn<() => unknown>(),
      approvalTime: () => Promise.resolve({ typical_seconds: 7200 }),
    },
  },
}));

const request = (changes: Partial<PaymentRequest>): PaymentRequest =>
  ({
    id: "1",
    package_type: "starter",
    status: "pending",
    reference: null,
    rejection_reason: null,
    created_at: "2026-11-21T00:00:00Z",
    ...changes,
  }) as PaymentRequest;
const withRequests = (...items: PaymentRequest[]): void =>
  void vi.mocked(api.paymentRequests.mine).mockResolvedValue({ items, next_cursor: null });
beforeEach(() => {
  tier = "unpaid";
});

test("a pending request warns against paying twice and states the approval time", async () => {
  withRequests(request({}));
  show(<LastRequest packageType="starter" />);
  expect(await screen.findByText("Please do not pay twice")).toBeDefined();
  expect(await screen.findByText(/Lately it took about 2 hours/)).toBeDefined();
});

test("a rejected request shows its reason and the reference to use again", async () => {
  withRequests(request({ status: "rejected", rejection_reason: "Too low.", reference: "ab12" }));
  show(<LastRequest packageType="starter" />);
  expect(await screen.findByText("Reason: Too low.")).toBeDefined();
  expect(screen.getByText("ab12")).toBeDefined();
  expect(screen.getByRole("button", { name: /the transaction reference/ })).toBeDefined();
});

test("the owner of the package or a larger one reads that no payment is needed", async () => {
  withRequests(request({ status: "rejected" }));
  tier = "advanced";
  show(<LastRequest packageType="starter" />);
  expect(await screen.findByText("You already have the Advanced package")).toBeDefined();
  expect(screen.queryByText(/was not approved/)).toBeNull();
});

test("a request for the other package says nothing", async () => {
  withRequests(request({ package_type: "advanced" }));
  const { container } = show(<LastRequest packageType="starter" />);
  await waitFor(() => expect(api.paymentRequests.mine).toHaveBeenCalled());
  expect(container.textContent).toBe("");
});
