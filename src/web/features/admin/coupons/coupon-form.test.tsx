// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { fieldTexts } from "#domain/errors/field-texts";
import type { Coupon } from "#domain/api/payments/coupons";
import { errors } from "#domain/errors/messages";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { CouponForm } from "./coupon-form.tsx";

vi.mock("../../../platform/api.ts", () => ({
  api: { coupons: { create: vi.fn<() => unknown>(), update: vi.fn<() => unknown>() } },
}));
const { create, update } = vi.mocked(api.coupons);

// COUPON-1
test.each([
  ["HALF PRICE", fieldTexts.coupon_code_invalid],
  ["", errors.coupon_empty.text],
])("marks the code %j that is refused, and moves the focus to it", async (typed, text) => {
  const { user } = show(<CouponForm coupon={undefined} onClose={() => {}} />);
  const code = screen.getByLabelText<HTMLInputElement>("Code");
  await user.click(code);
  await user.paste(typed);
  await user.type(screen.getByLabelText("Starter %"), "50");
  await user.type(screen.getByLabelText("Advanced %"), "50");
  await user.click(screen.getByRole("button", { name: "Save coupon" }));
  expect(await screen.findByText(text)).toBeDefined();
  expect(code.getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(code);
  expect(create).not.toHaveBeenCalled();
});

// COUPON-5, KEYS-5, TEXT-2
test.each([
  ["From", "0026-12-31T23:59"],
  ["From", "3000-12-31T23:59"],
  ["Until", "20266-12-31T23:59"],
  ["Until", "200266-12-31T23:59"],
])("marks a time %s in a mistyped year, %s, and moves the focus to it", async (label, value) => {
  const { user } = show(<CouponForm coupon={undefined} onClose={() => {}} />);
  await user.type(screen.getByLabelText("Code"), "HALF");
  await user.type(screen.getByLabelText("Starter %"), "50");
  await user.type(screen.getByLabelText("Advanced %"), "50");
  const time = screen.getByLabelText<HTMLInputElement>(label);
  // A browser takes years of six digits there.
  time.type = "text";
  fireEvent.change(time, { target: { value } });
  await user.click(screen.getByRole("button", { name: "Save coupon" }));
  expect(await screen.findByText(fieldTexts.date_invalid)).toBeDefined();
  expect(time.getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(time);
  expect(create).not.toHaveBeenCalled();
});

// COUPON-5, KEYS-5, TEXT-2
test("marks a time that is typed in part, and takes it for no empty one", async () => {
  create.mockClear();
  const { user } = show(<CouponForm coupon={undefined} onClose={() => {}} />);
  await user.type(screen.getByLabelText("Code"), "HALF");
  await user.type(screen.getByLabelText("Starter %"), "50");
  await user.type(screen.getByLabelText("Advanced %"), "50");
  const until = screen.getByLabelText<HTMLInputElement>("Until");
  const validity = vi.spyOn(until, "validity", "get").mockReturnValue({ badInput: true } as ValidityState);
  const save = screen.getByRole("button", { name: "Save coupon" });
  await user.click(save);
  expect(until.getAttribute("aria-invalid")).toBe("true");
  expect(screen.queryByText(fieldTexts.date_invalid)).not.toBeNull();
  expect(document.activeElement).toBe(until);
  expect(create).not.toHaveBeenCalled();
  validity.mockRestore();
  await user.click(save);
  expect(create).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ ends_at: null }));
});

// COUPON-6, TEXT-2
test.each([
  ["150", "0"],
  ["12,5", "0"],
  [" 40 ", "40"],
])("the percent %j of a package that the coupon is not for is sent as %j", async (typed, sent) => {
  const { user } = show(<CouponForm coupon={undefined} onClose={() => {}} />);
  await user.type(screen.getByLabelText("Code"), "HALF");
  await user.type(screen.getByLabelText("Starter %"), "50");
  await user.type(screen.getByLabelText("Advanced %"), typed);
  await user.selectOptions(screen.getByLabelText("For"), "starter");
  await user.click(screen.getByRole("button", { name: "Save coupon" }));
  const { discount_starter, discount_advanced } = create.mock.lastCall?.[0] ?? {};
  expect({ discount_starter, discount_advanced }).toEqual({ discount_starter: "50", discount_advanced: sent });
});

// ADMIN-5
test("keeps what is typed while a new coupon is saved, for a change of it", async () => {
  let reply = (): void => {};
  const stored = { code: "HALF" } as Coupon;
  create.mockReset().mockReturnValueOnce(new Promise((resolve) => (reply = () => resolve(stored))));
  update.mockResolvedValueOnce(stored);
  const onClose = vi.fn<() => void>();
  const { user } = show(<CouponForm coupon={undefined} onClose={onClose} />);
  const code = screen.getByLabelText<HTMLInputElement>("Code");
  await user.type(code, "HALF");
  await user.type(screen.getByLabelText("Starter %"), "50");
  await user.type(screen.getByLabelText("Advanced %"), "50");
  const save = screen.getByRole<HTMLButtonElement>("button", { name: "Save coupon" });
  await user.click(save);
  await user.type(code, "S");
  await user.type(screen.getByLabelText("Most uses"), "7");
  await act(async () => reply());
  await waitFor(() => expect(save.disabled).toBe(false));
  expect(onClose).not.toHaveBeenCalled();
  await user.click(save);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(create).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: "HALF", max_uses: null }));
  expect(update).toHaveBeenCalledExactlyOnceWith({ params: { code: "HALF" }, body: { max_uses: 7 } });
});
