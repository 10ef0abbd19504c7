// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { show, showAdmin } from "../../../../../tests/support/render.tsx";
import { AuditTab } from "./audit-tab.tsx";

const list = vi.hoisted(() => vi.fn<(filter: object) => Promise<unknown>>());
vi.mock("../../../platform/api.ts", () => ({ api: { audit: { list } } }));

const entry = {
  id: 1,
  at: "2026-11-22T09:00:00.000Z",
  actor_email: "admin@example.com",
  action: "setup.close",
  subject_type: "wallet-settings",
  subject_id: "1",
  details: {},
  ip: "198.51.100.7",
};
beforeEach(() => void list.mockReset().mockResolvedValue({ items: [], next_cursor: null }));

// AUDIT-4
test("says what a search that finds nothing has read", async () => {
  const { user } = show(<AuditTab />);
  await user.type(screen.getByRole("searchbox", { name: "Search by e-mail, action or value" }), "reopened");
  expect(await screen.findByText("No entry matches")).toBeDefined();
  expect(screen.getByText(/values, not whole sentences/)).toBeDefined();
});

// AUDIT-4
test("asks for everything about a subject by its kind and its id", async () => {
  list.mockResolvedValue({ items: [entry], next_cursor: null });
  const { user, router } = showAdmin(<AuditTab />);
  await user.click(await screen.findByRole("button", { name: "wallet settings 1: everything about it" }));
  expect(list).toHaveBeenLastCalledWith({ subject: "1", subject_type: "wallet-settings" });
  expect(router.state.location.search).toBe("?subject=1&subject_type=wallet-settings");
  await user.click(screen.getByRole("button", { name: /^About wallet settings 1 ?: remove this filter$/ }));
  expect(router.state.location.search).toBe("");
});

// AUDIT-4
test("keeps an address that names a subject by its id alone", async () => {
  showAdmin(<AuditTab />, "/admin?subject=HALF_OFF");
  expect(await screen.findByRole("button", { name: /^About HALF_OFF ?: remove this filter$/ })).toBeDefined();
  expect(list).toHaveBeenLastCalledWith({ subject: "HALF_OFF" });
});
