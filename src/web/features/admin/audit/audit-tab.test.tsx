// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { show } from "../../../../../tests/support/render.tsx";
import { AuditTab } from "./audit-tab.tsx";

vi.mock("../../../platform/api.ts", () => ({
  api: { audit: { list: () => Promise.resolve({ items: [], next_cursor: null }) } },
}));

// AUDIT-4
test("says what a search that finds nothing has read", async () => {
  const { user } = show(<AuditTab />);
  await user.type(screen.getByRole("searchbox", { name: "Search by e-mail, action or value" }), "reopened");
  expect(await screen.findByText("No entry matches")).toBeDefined();
  expect(screen.getByText(/values, not whole sentences/)).toBeDefined();
});
