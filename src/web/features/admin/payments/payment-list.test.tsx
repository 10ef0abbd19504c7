// @vitest-environment happy-dom
import { fireEvent, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { PaymentList } from "./payment-list.tsx";
import { usePaymentRequests, type PaymentFilter } from "./queries.ts";

vi.mock("../../../platform/api.ts", () => ({ api: { paymentRequests: { list: vi.fn<() => unknown>() } } }));

const rejected = {
  id: "1",
  status: "rejected",
  full_name: "Malee",
  email: "malee@example.com",
  package_type: "starter",
  payer_tier: "unpaid",
  crypto_type: null,
  wallet_address: null,
  amount_usd: "10",
  coupon_code: null,
  receipt_number: null,
  rejection_reason: null,
  resubmits: null,
  created_at: "2026-11-26T00:00:00.000Z",
  evidence: [],
} as unknown as ReviewedPaymentRequest;
const has = (...items: ReviewedPaymentRequest[]) =>
  vi.mocked(api.paymentRequests.list).mockResolvedValue({ items, next_cursor: null });
const filter: PaymentFilter = { status: "rejected", sort: "newest" };
/** How many requests were read, which the held list does not say. */
const Read = (): ReactNode => <p>{usePaymentRequests(filter).data?.length} read</p>;
const list = (
  <>
    <PaymentList filter={filter} />
    <Read />
  </>
);
const emptyText = "No payment requests here";

// LIST-6
test("the last row stays under the mouse when it no longer passes the filter", async () => {
  has(rejected);
  const { user } = show(list);
  const row = await screen.findByRole("link", { name: "Malee" });
  await user.hover(row);
  has();
  await queryClient.invalidateQueries();
  await screen.findByText("0 read");
  expect(screen.getByRole("link", { name: "Malee" })).toBe(row);
  expect(screen.queryByText(emptyText)).toBeNull();
  fireEvent.pointerLeave(screen.getByRole("table").parentElement!);
  expect(await screen.findByText(emptyText)).toBeDefined();
  expect(screen.queryByRole("link", { name: "Malee" })).toBeNull();
});

// LIST-6
test("a new request appears at once in an empty list, also under the mouse", async () => {
  has();
  const { user } = show(list);
  await user.hover(await screen.findByText(emptyText));
  has(rejected);
  await queryClient.invalidateQueries();
  await screen.findByText("1 read");
  expect(screen.getByRole("link", { name: "Malee" })).toBeDefined();
});
