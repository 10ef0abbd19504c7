// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { show } from "../../../../../tests/support/render.tsx";
import { PaymentFilterBar } from "./filter-bar.tsx";
import { paymentFilters } from "./filters.ts";

const counts = vi.hoisted(() => ({ pending: 400, approved: 4542, rejected: 3, flagged: 397 }));
vi.mock("../../../platform/api.ts", () => ({ api: { paymentRequests: { counts: () => Promise.resolve(counts) } } }));

// DECIDE-5
test.each([
  ["pending", "400 waiting, 397 of them flagged"],
  ["approved", ""],
  ["rejected", ""],
  ["all", ""],
] as const)("what is counted above %s requests is %j", async (status, text) => {
  show(<PaymentFilterBar filters={{ ...paymentFilters.parse({}), status }} onChange={() => {}} />);
  await screen.findByText("4,542");
  expect(screen.getByRole("status").textContent).toBe(text);
});

// REVIEW-7
test.each([
  ["pending", "newest", "Filters · 2"],
  ["pending", "oldest", "Filters · 1"],
  ["all", "newest", "Filters · 1"],
  ["all", "oldest", "Filters · 2"],
] as const)("the button of the filters counts another order than the usual one: %s, %s", (status, sort, name) => {
  show(<PaymentFilterBar filters={{ ...paymentFilters.parse({}), package: "starter", status, sort }} onChange={() => {}} />);
  expect(screen.getByRole("button", { name: /^Filters/ }).textContent).toBe(name);
});
