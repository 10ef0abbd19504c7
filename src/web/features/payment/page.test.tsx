// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { Quote } from "#domain/api/payments/quotes";
import { ProductError } from "#domain/errors/messages";
import { quoteMethods } from "#domain/payment-methods/methods";
import { defaultWalletSettings } from "#domain/payment-methods/settings";
import { show } from "../../../../tests/support/render.tsx";
import { SessionContext } from "../../entities/session/session.tsx";
import { api } from "../../platform/api.ts";
import { forgetKeptState, useKeptState } from "../../platform/kept-state.ts";
import { invalidateAfter } from "../../platform/query/query-client.ts";
import { PaymentPage } from "./page.tsx";

vi.mock("../../platform/uploads/use-upload.ts", () => ({
  useUpload: () => ({ send: () => Promise.resolve("upload"), forgetIfGone: () => {}, progress: undefined }),
}));
vi.mock("../../platform/api.ts", () => {
  const call = () => vi.fn<(input: unknown) => unknown>();
  return {
    api: {
      quotes: { create: call(), state: () => Promise.resolve({ is_void: false }), launchOffer: async () => ({ status: 204 }) },
      paymentRequests: {
        submit: call(),
        resubmit: call(),
        mine: call(),
        approvalTime: () => Promise.resolve({ typical_seconds: null }),
      },
    },
  };
});

const price = {
  package_type: "starter",
  coupon_code: null,
  original_usd: "497",
  discount_percent: "0",
  discount_usd: "0",
  upgrade_credit_usd: "0",
  amount_usd: "497",
} as const;
const quote: Quote = {
  ...price,
  id: "quote",
  coupon_held: false,
  created_at: "2026-11-21T00:00:00Z",
  expires_at: "2026-11-21T00:30:00Z",
  is_sample: false,
  methods: quoteMethods("497", { ...defaultWalletSettings, bitcoin_address: "bc1a" }),
  earlier: [],
};
const pending = {
  ...price,
  id: "request",
  status: "pending",
  crypto_type: "bitcoin",
  amount_crypto: "0.01104444",
  wallet_address: "bc1a",
  destination_current: true,
  paid_by_earlier_quote: null,
  amount_received: null,
  amount_owed: null,
  rest: null,
  parts: [],
  resubmits: null,
  reference: null,
  created_at: "2026-11-21T00:10:00Z",
} as unknown as PaymentRequest;
const me = { subscription_status: "unpaid", max_upload_bytes: { "payment-screenshots": 1000 } } as Me;
const reference = () => screen.findByLabelText<HTMLInputElement>(/Transaction reference/);

/** The server's requests of this student. */
function answer(...items: PaymentRequest[]): void {
  vi.mocked(api.paymentRequests.mine).mockResolvedValue({ items, next_cursor: null });
}

function FormOfAdvanced() {
  const [text, setText] = useKeptState("payment of advanced: reference", "");
  return <input aria-label="Of Advanced" value={text} onChange={(event) => setText(event.target.value)} />;
}

beforeEach(() => {
  forgetKeptState();
  vi.mocked(api.quotes.create).mockResolvedValue(quote);
});

// JOURNEY-3
test("a form whose reply was lost is forgotten once its request is found", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  answer();
  vi.mocked(api.paymentRequests.submit).mockImplementation(() => {
    answer(pending);
    return Promise.reject(new ProductError("offline"));
  });
  const { user } = show(
    <SessionContext value={{ status: "signed-in", me, asOf: 0 }}>
      <PaymentPage />
    </SessionContext>,
  );
  await user.upload(await screen.findByLabelText(/screenshot/), new File(["x"], "slip.png", { type: "image/png" }));
  await user.type(await reference(), "ab".repeat(32));
  await user.click(screen.getByRole("checkbox", { name: /I have read/ }));
  await user.click(screen.getByRole("button", { name: "Submit Payment Request" }));
  await screen.findByRole("heading", { name: "Payment Submitted!" });

  answer({ ...pending, status: "rejected", rejection_reason: "Unreadable." });
  invalidateAfter("payment-requests");
  await user.click(await screen.findByRole("button", { name: "Submit again for Starter" }));
  await user.click(screen.getByRole("button", { name: "Start with today's amounts" }));
  expect((await reference()).value).toBe("");
  expect(screen.queryByText("slip.png")).toBeNull();
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /I have read/ }).checked).toBe(false);
});

// JOURNEY-3
test("who waits for one package keeps the form of the other", async () => {
  answer(pending);
  const page = (
    <SessionContext value={{ status: "signed-in", me, asOf: 0 }}>
      <PaymentPage />
    </SessionContext>
  );
  const { user, unmount } = show(<FormOfAdvanced />);
  await user.type(screen.getByLabelText("Of Advanced"), "kept");
  unmount();
  const waiting = show(page);
  await screen.findByRole("heading", { name: "Payment Submitted!" });
  waiting.unmount();
  show(<FormOfAdvanced />);
  expect(screen.getByLabelText<HTMLInputElement>("Of Advanced").value).toBe("kept");
});

// PAY-6, PART-4, JOURNEY-3
test.each<[string, Partial<PaymentRequest>, RegExp]>([
  ["approved", { status: "approved", decided_at: "2026-11-21T03:00:00Z" }, /Everything in it is open on your dashboard/],
  [
    "rejected",
    { status: "rejected", decided_at: "2026-11-21T03:00:00Z", rejection_reason: "Second reason." },
    /Reason: Second reason/,
  ],
  [
    "asked for its rest",
    {
      amount_received: "0.01",
      amount_owed: "0.00104444",
      rest: {
        asked_at: "2026-11-21T03:00:00Z",
        destination_changed: false,
        former_destinations: [],
        method: { crypto_type: "bitcoin", available: true, amount_crypto: "0.00104444", wallet_address: "bc1a" },
      },
    },
    /A part of your payment has arrived/,
  ],
])("a page that missed when a request gave way to a later one goes on with it: %s", async (_state, later, text) => {
  // Its rest was sent, so that it has one part more than the later one.
  const first = { ...pending, parts: [{ id: "part" }] } as PaymentRequest;
  answer(first);
  show(
    <SessionContext value={{ status: "signed-in", me, asOf: 0 }}>
      <PaymentPage />
    </SessionContext>,
  );
  await screen.findByRole("heading", { name: "Payment Submitted!" });
  const decided = { status: "rejected", decided_at: "2026-11-21T01:00:00Z", rejection_reason: "First reason." } as const;
  answer({ ...pending, id: "later", resubmits: "request", ...later }, { ...first, ...decided });
  invalidateAfter("payment-requests");
  expect(await screen.findByText(text)).toBeDefined();
});

// PAY-6, PAY-10
test("a request that was submitted again is followed before the list has it", async () => {
  answer({ ...pending, status: "rejected", rejection_reason: "Unreadable." });
  vi.mocked(api.paymentRequests.resubmit).mockResolvedValue({ ...pending, id: "later", resubmits: "request" });
  const { user } = show(
    <SessionContext value={{ status: "signed-in", me, asOf: 0 }}>
      <PaymentPage />
    </SessionContext>,
  );
  await user.click(await screen.findByRole("button", { name: "Submit Payment Request" }));
  expect(await screen.findByRole("heading", { name: "Payment Submitted!" })).toBeDefined();
});
