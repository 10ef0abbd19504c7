// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Coupon } from "#domain/api/payments/coupons";
import { showAdmin } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { Coupons } from "./coupons.tsx";

vi.mock("../../../platform/api.ts", () => ({ api: { coupons: { list: vi.fn<() => unknown>() } } }));

const terms = { discount_starter: "50", discount_advanced: "50", packages: "both", active: true, state: "active" } as const;
const uses = { max_uses: null, pending_uses: 0, pending_usd: "0", approved_uses: 0, approved_usd: "0", held_uses: 0 };
const coupon: Coupon = { code: "LUNCH", ...terms, ...uses, starts_at: null, ends_at: null };

// COUPON-8
test("an open form stays where a search leaves its coupon out", async () => {
  vi.mocked(api.coupons.list).mockImplementation(async ({ search } = {}) => ({
    items: search === undefined ? [coupon] : [],
    next_cursor: null,
  }));
  const { user, router } = showAdmin(<Coupons />);
  await user.click(await screen.findByRole("button", { name: /^Edit/ }));
  const percent = screen.getByLabelText<HTMLInputElement>("Starter %");
  await user.clear(percent);
  await user.type(percent, "25");
  // Rows hold still while the focus is among them.
  await user.click(document.body);
  await act(() => router.navigate("/admin?search=bob"));
  await waitFor(() => expect(api.coupons.list).toHaveBeenLastCalledWith(expect.objectContaining({ search: "bob" })));
  await act(() => router.navigate("/admin"));
  expect(screen.getByLabelText("Starter %")).toBe(percent);
  expect(percent.value).toBe("25");
});
