// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Quote } from "#domain/api/payments/quotes";
import { quoteMethods } from "#domain/payment-methods/methods";
import { defaultWalletSettings, type WalletSettings } from "#domain/payment-methods/settings";
import { show } from "../../../../tests/support/render.tsx";
import { api } from "../../platform/api.ts";
import { forgetKeptState } from "../../platform/kept-state.ts";
import { invalidateAfter } from "../../platform/query/query-client.ts";
import { Checkout } from "./checkout.tsx";

vi.mock("../../entities/session/session.tsx", () => ({
  refreshMe: () => {},
  useMe: () => ({ subscription_status: "unpaid", max_upload_bytes: { "payment-screenshots": 1000 } }),
}));
vi.mock("../../platform/uploads/use-upload.ts", () => ({
  useUpload: () => ({ send: () => Promise.resolve("upload"), forgetIfGone: () => {}, progress: undefined }),
}));
vi.mock("../../platform/api.ts", () => {
  const call = () => vi.fn<(input: unknown) => unknown>();
  return {
    api: {
      quotes: { create: call(), state: call(), launchOffer: () => Promise.resolve({ status: 204 }) },
      paymentRequests: {
        submit: call(),
        approvalTime: () => Promise.resolve({ typical_seconds: null }),
        mine: () => Promise.resolve({ items: [], next_cursor: null }),
      },
    },
  };
});
const create = vi.mocked(api.quotes.create);
const readState = vi.mocked(api.quotes.state);
beforeEach(() => {
  forgetKeptState();
  create.mockReset();
  readState.mockReset().mockResolvedValue({ is_void: false });
});

const addresses = { bitcoin_address: "bc1a", ethereum_address: "0xa" };
const bank = { thai_bank_name: "Bank", thai_bank_account_number: "123", thai_bank_account_name: "A" };
const quoted = (id: string, wallets: Partial<WalletSettings>, earlier: Quote[] = []): Quote => ({
  id,
  package_type: "starter",
  coupon_code: null,
  coupon_held: false,
  discount_percent: "0",
  original_usd: "497",
  discount_usd: "0",
  upgrade_credit_usd: "0",
  amount_usd: "497",
  created_at: "2026-11-21T00:00:00Z",
  expires_at: "2026-11-21T00:30:00Z",
  is_sample: false,
  methods: quoteMethods("497", { ...defaultWalletSettings, ...wallets }),
  earlier: earlier.map((one) => ({ ...one, methods: one.methods.filter(({ available }) => available) })),
});
const first = quoted("first", { ...addresses, ...bank });
const radio = (name: RegExp): HTMLInputElement => screen.getByRole("radio", { name });

/** Ends the first quote; the page gets `next` in its place. */
function voidQuotes(next: Quote): void {
  create.mockResolvedValue(next);
  readState.mockImplementation((input) => Promise.resolve({ is_void: input.params.id === "first" }));
  invalidateAfter("quotes");
}

// QUOTE-6, GUARD-4
describe("a method that is removed while the page is open", () => {
  test("stays selected, to name the earlier payment by it alone", async () => {
    create.mockResolvedValue(first);
    const { user } = show(<Checkout packageType="starter" onSubmitted={() => {}} />);
    await user.click(await screen.findByRole("radio", { name: /Thai Bank/ }));
    expect(screen.getByText("123")).toBeDefined();
    voidQuotes(quoted("second", addresses, [first]));

    const claim = await screen.findByRole("checkbox", { name: /I have already sent 17,395.00 THB to the earlier account/ });
    expect(radio(/Thai Bank.*Only if already paid/).checked).toBe(true);
    expect(screen.queryByText("123")).toBeNull();
    expect(screen.getByText(/Please send nothing to the earlier account/)).toBeDefined();
    await user.upload(screen.getByLabelText(/screenshot/), new File(["x"], "slip.png", { type: "image/png" }));
    await user.click(screen.getByRole("checkbox", { name: /I have read/ }));
    const submit = screen.getByRole<HTMLButtonElement>("button", { name: "Submit Payment Request" });
    expect(submit.disabled).toBe(true);
    await user.click(claim);
    await user.click(submit);
    const body = expect.objectContaining({ quote_id: "second", crypto_type: "thai_bank", paid_quote_id: "first" });
    expect(vi.mocked(api.paymentRequests.submit)).toHaveBeenCalledWith(expect.objectContaining({ body }));
  });

  test("stays selected also where the page had selected it", async () => {
    create.mockResolvedValue(first);
    show(<Checkout packageType="starter" onSubmitted={() => {}} />);
    await screen.findByText("bc1a");
    voidQuotes(quoted("second", bank, [first]));
    await screen.findByRole("checkbox", { name: /I have already sent 0.01104444 BTC/ });
    expect(radio(/Bitcoin/).checked).toBe(true);
  });
});

test("a method that was removed before the page was opened is not selected by itself", async () => {
  create.mockResolvedValue(quoted("second", bank, [first]));
  show(<Checkout packageType="starter" onSubmitted={() => {}} />);
  await screen.findByText("123");
  expect([radio(/Bitcoin/), radio(/Thai Bank/)].map(({ checked, disabled }) => [checked, disabled])).toEqual([
    [false, false],
    [true, false],
  ]);
});

// QUOTE-5
test("a method that was never set up cannot be chosen", async () => {
  create.mockResolvedValue(quoted("only", addresses));
  show(<Checkout packageType="starter" onSubmitted={() => {}} />);
  await screen.findByText("bc1a");
  expect(radio(/Thai Bank.*Not set up yet/).disabled).toBe(true);
});

// QUOTE-2, GUARD-4
test("says what has changed where a new quote leaves nothing to pay", async () => {
  create.mockResolvedValue(first);
  show(<Checkout packageType="starter" onSubmitted={() => {}} />);
  await screen.findByText("bc1a");
  voidQuotes({ ...first, id: "second", amount_usd: "0", upgrade_credit_usd: "497" });
  await screen.findByRole("heading", { name: "Nothing left to pay" });
  expect(screen.getByText("The price is now $0 USD instead of $497 USD.")).toBeDefined();
});
