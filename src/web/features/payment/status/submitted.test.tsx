// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { SubscriptionStatus } from "#domain/packages";
import { show } from "../../../../../tests/support/render.tsx";
import { SessionContext } from "../../../entities/session/session.tsx";
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

const showTo = (subscription_status: SubscriptionStatus, request: PaymentRequest) =>
  show(
    <SessionContext value={{ status: "signed-in", me: { subscription_status } as Me, asOf: 0 }}>
      <Submitted request={request} onLeave={() => {}} />
    </SessionContext>,
  );

// The tab's title follows the decision.
test.each([
  ["pending", "Payment submitted"],
  ["approved", "Payment approved"],
  ["rejected", "Payment not approved"],
] as const)("a request that is %s is named so in the tab: %s", (status, title) => {
  const request = { ...pending, status, amount_received: null, amount_owed: null };
  vi.mocked(api.paymentRequests.mine).mockResolvedValue({ items: [request], next_cursor: null });
  showTo("unpaid", request);
  expect(document.title).toContain(title);
});

const nothingMore = /There is nothing more to pay\.$/;
const restIsChecked = /We check whether the rest has arrived\.$/;

// DECIDE-7
test.each([
  ["the whole amount is said to be sent", [{ ...pending, resubmits: null }], nothingMore],
  ["the former request was rejected for another reason", [pending, rejected], nothingMore],
  ["only a part had arrived for the former request", [pending, { ...rejected, amount_owed: "395.00" }], restIsChecked],
])("says what is to be paid where %s", async (_, items, expected) => {
  vi.mocked(api.paymentRequests.mine).mockResolvedValue({ items, next_cursor: null });
  showTo("unpaid", items[0]!);
  expect((await screen.findByText(expected)).textContent).toContain("17,395.00 THB");
});

// PAY-6
test("says of a pending request that its package is unlocked where it is owned", () => {
  vi.mocked(api.paymentRequests.mine).mockResolvedValue({ items: [], next_cursor: null });
  showTo("starter", pending);
  expect(screen.getByText("Your Starter package is unlocked")).toBeDefined();
  expect(screen.queryByText(/within 24 hours|We unlock your package/)).toBeNull();
});

// PAY-9, DECIDE-7
test.each<[SubscriptionStatus, boolean]>([
  ["unpaid", true],
  ["starter", false],
  ["advanced", false],
])("asks a rejected student who is %s for another try: %s", async (tier, expected) => {
  const part = { amount_received: "17000.00", amount_owed: "395.00", rejection_reason: "Too little arrived." };
  const refused = { ...pending, ...part, status: "rejected" } as PaymentRequest;
  vi.mocked(api.paymentRequests.mine).mockResolvedValue({ items: [refused], next_cursor: null });
  showTo(tier, refused);
  expect((await screen.findByText(/Received/)).textContent.includes("still to pay 395.00 THB")).toBe(expected);
  expect(screen.queryByRole("button", { name: /^Submit again/ }) !== null).toBe(expected);
  expect(screen.queryByText(/send only the rest/) !== null).toBe(expected);
  expect(screen.queryByText(/You already have everything in this package/) !== null).toBe(!expected);
});
