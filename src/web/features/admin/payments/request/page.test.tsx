// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { createPath } from "react-router";
import { expect, test, vi } from "vitest";
import { showAdmin } from "../../../../../../tests/support/render.tsx";
import type { PaymentFilter } from "../queries.ts";
import { PaymentRequestPage } from "./page.tsx";

vi.mock("../../../../platform/api.ts", () => ({
  api: { paymentRequests: { get: () => Promise.resolve({ email: "malee@example.com" }) } },
}));
vi.mock("../../frame.tsx", () => ({ AdminFrame: ({ children }: { children: unknown }) => children }));
vi.mock("../review/review.tsx", () => ({
  Review: ({ filter, onOpen }: { filter: PaymentFilter; onOpen: (id: string) => void }) => (
    <button type="button" onClick={() => onOpen("request-2")}>
      {JSON.stringify(filter)}
    </button>
  ),
}));

// REVIEW-7
test("the page of a request keeps the queue's filters, also on the way back", async () => {
  const { user, router } = showAdmin(<PaymentRequestPage />, "/admin?search=malee&sort=newest");
  const queue = await screen.findByRole("button", { name: /"search"/ });
  expect(JSON.parse(queue.textContent)).toEqual({ status: "pending", search: "malee", sort: "newest" });
  const back = screen.getByRole("link", { name: "All payments" });
  expect(back.getAttribute("href")).toBe("/admin?tab=payments&search=malee&sort=newest");
  await user.click(queue);
  expect(createPath(router.state.location)).toBe("/admin/payments/request-2?search=malee&sort=newest");
});
