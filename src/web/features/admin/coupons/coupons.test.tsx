// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Coupon } from "#domain/api/payments/coupons";
import { showAdmin } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { Coupons } from "./coupons.tsx";
import { couponsKey } from "./queries.ts";

vi.mock("../../../platform/api.ts", () => ({
  api: { coupons: { list: vi.fn<() => unknown>(), create: vi.fn<() => unknown>(), update: vi.fn<() => unknown>() } },
}));

const terms = { discount_starter: "50", discount_advanced: "50", packages: "both", active: true, state: "active" } as const;
const uses = { max_uses: null, pending_uses: 0, pending_usd: "0", approved_uses: 0, approved_usd: "0", held_uses: 0 };
const coupon: Coupon = { code: "LUNCH", ...terms, ...uses, starts_at: null, ends_at: null };
beforeEach(() => void vi.mocked(api.coupons.update).mockReset());

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

test("a coupon that is saved late leaves the form of another one open", async () => {
  vi.mocked(api.coupons.list).mockResolvedValue({ items: [coupon, { ...coupon, code: "DINNER" }], next_cursor: null });
  let reply = (): void => {};
  vi.mocked(api.coupons.update).mockReturnValueOnce(new Promise((resolve) => (reply = () => resolve(coupon))));
  const { user } = showAdmin(<Coupons />);
  await user.click(await screen.findByRole("button", { name: "Edit LUNCH" }));
  await user.type(screen.getByLabelText("Most uses"), "5");
  await user.click(screen.getByRole("button", { name: "Save coupon" }));
  await user.click(screen.getByRole("button", { name: "Edit DINNER" }));
  await user.type(screen.getByLabelText("Most uses"), "7");
  await act(async () => reply());
  expect(screen.getByLabelText<HTMLInputElement>("Most uses").value).toBe("7");
});

test("a new coupon whose form stays open is edited and deleted nowhere else", async () => {
  vi.mocked(api.coupons.list).mockResolvedValue({ items: [{ ...coupon, code: "DINNER" }], next_cursor: null });
  let reply = (): void => {};
  vi.mocked(api.coupons.create).mockReturnValueOnce(new Promise((resolve) => (reply = () => resolve(coupon))));
  const { user } = showAdmin(<Coupons />);
  await user.click(await screen.findByRole("button", { name: "Add coupon" }));
  await user.type(screen.getByLabelText("Code"), "LUNCH");
  await user.type(screen.getByLabelText("Starter %"), "50");
  await user.type(screen.getByLabelText("Advanced %"), "50");
  await user.click(screen.getByRole("button", { name: "Save coupon" }));
  await user.type(screen.getByLabelText("Most uses"), "7");
  vi.mocked(api.coupons.list).mockResolvedValue({ items: [coupon, { ...coupon, code: "SUPPER" }], next_cursor: null });
  await act(async () => reply());
  expect(await screen.findByRole("form", { name: "Edit LUNCH" })).toBeDefined();
  expect(await screen.findByRole("button", { name: "Edit SUPPER" })).toBeDefined();
  expect(screen.queryByRole("button", { name: "Edit LUNCH" })).toBeNull();

  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(await screen.findByRole("button", { name: "Edit LUNCH" })).toBeDefined();
});

// ADMIN-5
test("what was changed elsewhere while a form is open is not taken back by it", async () => {
  vi.mocked(api.coupons.list).mockResolvedValue({ items: [coupon], next_cursor: null });
  const { user } = showAdmin(<Coupons />);
  await user.click(await screen.findByRole("button", { name: /^Edit/ }));
  const elsewhere = { ...coupon, discount_starter: "60", max_uses: 100 };
  vi.mocked(api.coupons.list).mockResolvedValue({ items: [elsewhere], next_cursor: null });
  await act(() => queryClient.invalidateQueries({ queryKey: couponsKey }));
  await user.clear(screen.getByLabelText("Advanced %"));
  await user.type(screen.getByLabelText("Advanced %"), "70");
  await user.click(screen.getByRole("button", { name: "Save coupon" }));
  await waitFor(() => expect(api.coupons.update).toHaveBeenCalled());
  expect(api.coupons.update).toHaveBeenCalledExactlyOnceWith({ params: { code: "LUNCH" }, body: { discount_advanced: "70" } });
});
