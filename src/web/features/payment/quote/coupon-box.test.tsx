// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Quote } from "#domain/api/payments/quotes";
import { errors, ProductError } from "#domain/errors/messages";
import { siteLinksOf } from "#domain/site-links";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { forgetKeptState } from "../../../platform/kept-state.ts";
import { CouponBox } from "./coupon-box.tsx";
import { useQuote, type QuoteState } from "./use-quote.ts";

vi.mock("../../../platform/site.ts", async (original) => ({
  ...(await original<object>()),
  siteLinks: siteLinksOf({ contactEmail: "help@example.com" }),
}));
vi.mock("../../../platform/api.ts", () => ({
  api: { quotes: { create: vi.fn<() => unknown>(), state: vi.fn<() => unknown>() } },
}));
const create = vi.mocked(api.quotes.create);
const readState = vi.mocked(api.quotes.state);

const quote = (coupon_code: string | null): Quote =>
  ({
    id: String(coupon_code),
    package_type: "starter",
    coupon_code,
    discount_percent: coupon_code === null ? "0" : "50",
    upgrade_credit_usd: "0",
    amount_usd: "497",
    created_at: "2026-11-21T00:00:00Z",
    expires_at: "2026-11-21T00:30:00Z",
    methods: [],
    earlier: [],
  }) as unknown as Quote;

function Box(): ReactNode {
  const state = useQuote("starter", "unpaid");
  return state.quote && <CouponBox state={state} />;
}

const field = () => screen.findByRole<HTMLInputElement>("textbox", { name: "Coupon code" });
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  forgetKeptState();
  create.mockReset();
  create.mockResolvedValueOnce(quote(null));
});

test("a code is sent in upper case, and its discount announced", async () => {
  create.mockResolvedValueOnce(quote("LUNCH"));
  const { user } = show(<Box />);
  await user.type(await field(), "lunch{Enter}");
  expect((await screen.findByText("Coupon LUNCH applied: 50% off.")).getAttribute("role")).toBe("status");
  // QUOTE-7
  expect(create.mock.lastCall).toEqual([{ package_type: "starter", coupon_code: "LUNCH", replaces: quote(null).id }]);
  expect((await field()).readOnly).toBe(true);
});

// COUPON-7
test("says that a limited coupon's use is kept, and why a used-up code is refused", async () => {
  create.mockRejectedValueOnce(new ProductError("coupon_used_up"));
  create.mockResolvedValueOnce({ ...quote("FEW"), coupon_held: true });
  const { user } = show(<Box />);
  await user.type(await field(), "few{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe(errors.coupon_used_up.text);
  await user.type(await field(), "{Enter}");
  expect((await screen.findByRole("status")).textContent).toMatch(/one is kept for you until this quote ends\.$/);
});

test("an applied code can be removed", async () => {
  create.mockResolvedValueOnce(quote("LUNCH")).mockResolvedValueOnce(quote(null));
  const { user } = show(<Box />);
  await user.type(await field(), "lunch{Enter}");
  await user.click(await screen.findByRole("button", { name: /^Remove/ }));
  expect(await screen.findByRole("button", { name: /^Apply/ })).toBeDefined();
  expect((await field()).value).toBe("");
});

test("an unknown code is refused at the field, until it is edited", async () => {
  create.mockRejectedValueOnce(new ProductError("coupon_invalid"));
  const { user } = show(<Box />);
  await user.type(await field(), "nope{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe(errors.coupon_invalid.text);
  await user.type(await field(), "x");
  expect(screen.queryByRole("alert")).toBeNull();
});

// QUOTE-10
test.each([null, "LUNCH"])("amounts that have expired are not exchanged by the coupon: %s", (code) => {
  show(<CouponBox state={{ quote: quote(code), isStopped: true } as QuoteState} />);
  expect(screen.getByRole<HTMLButtonElement>("button").disabled).toBe(true);
});

// JOURNEY-3
test("a coupon that comes back with its page does not take the focus", async () => {
  create.mockResolvedValueOnce(quote("LUNCH"));
  readState.mockResolvedValue({ is_void: false });
  const { user, unmount } = show(<Box />);
  await user.type(await field(), "lunch{Enter}");
  expect(await screen.findByText("Coupon LUNCH applied: 50% off.")).toBeDefined();
  unmount();
  show(<Box />);
  expect((await field()).value).toBe("LUNCH");
  expect(document.activeElement).toBe(document.body);
});

test.each([
  ["wrong", "nope"],
  ["missing", ""],
])("the field gets the focus back when Apply finds its code %s", async (_what, typed) => {
  create.mockRejectedValueOnce(new ProductError("coupon_invalid"));
  const { user } = show(<Box />);
  if (typed !== "") await user.type(await field(), typed);
  await field();
  await user.click(screen.getByRole("button", { name: /^Apply/ }));
  await screen.findByRole("alert");
  expect(document.activeElement).toBe(await field());
});

test("an empty field asks for a code, and nothing is sent", async () => {
  const { user } = show(<Box />);
  await user.type(await field(), "{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe(errors.coupon_empty.text);
  expect(create).toHaveBeenCalledOnce();
});

test("reports a coupon code that could not be looked up", async () => {
  create.mockRejectedValueOnce(new ProductError("offline"));
  const { user } = show(<Box />);
  await user.type(await field(), "lunch{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe(errors.coupon_lookup_failed.text);
});

// CONTACT-1
test("displays the contacts when a code cannot be looked up, not when it is refused", async () => {
  create.mockRejectedValueOnce(new ProductError("unavailable")).mockRejectedValueOnce(new ProductError("coupon_invalid"));
  const { user } = show(<Box />);
  await user.type(await field(), "lunch{Enter}");
  expect((await screen.findByText(/If this goes on, write to/)).textContent).toContain("help@example.com");
  await user.type(await field(), "{Enter}");
  await screen.findByText(errors.coupon_invalid.text);
  expect(screen.queryByText(/If this goes on/)).toBeNull();
});
