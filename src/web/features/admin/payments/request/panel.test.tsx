// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import { errors, ProductError, type ErrorCode } from "#domain/errors/messages";
import { show } from "../../../../../../tests/support/render.tsx";
import { settled } from "../../../../../../tests/support/settled.ts";
import { SessionContext } from "../../../../entities/session/session.tsx";
import { api } from "../../../../platform/api.ts";
import { invalidateAfter, queryClient } from "../../../../platform/query/query-client.ts";
import { useReportedError } from "../../../../platform/query/reported-error.ts";
import { RequestPanel } from "./panel.tsx";
import { paymentRequestOptions } from "./queries.ts";

vi.mock("../../../../platform/api.ts", () => ({
  api: {
    paymentRequests: { get: vi.fn<() => unknown>(), approve: vi.fn<() => unknown>(), reopen: vi.fn<() => unknown>() },
    rejectionReasons: { get: async () => ({ reasons: [] }) },
  },
}));
vi.mock("./heading.tsx", () => ({ Heading: () => null }));
vi.mock("./figures.tsx", () => ({ Figures: () => null }));
vi.mock("../../audit/audit-panel.tsx", () => ({ AuditPanel: () => null }));
vi.mock("./check-again.tsx", () => ({ CheckAgain: () => null }));
const { get, approve, reopen } = vi.mocked(api.paymentRequests);

/** Of each test, since what a window has sent outlives its pages. */
let id = "";
let count = 0;
const as = (status: PaymentRequestDetail["status"], by = "admin@example.com") =>
  ({
    id,
    user_id: "malee",
    email: "malee@example.com",
    crypto_type: null,
    package_type: "starter",
    payer_tier: "unpaid",
    screenshot_url: null,
    receipt_number: 7,
    decided_at: "2026-11-26T00:00:00.000Z",
    rejection_reason: null,
    status,
    evidence: [],
    parts: [],
    disputes: [],
    history: [],
    cancelled_receipts: [],
    audit: [{ action: status === "pending" ? "payment-request.reopen" : "payment-request.approve", actor_email: by }],
  }) as unknown as PaymentRequestDetail;

function Desk() {
  const nothing = (): void => {};
  const events = { onTick: nothing, onDecided: nothing, onReopened: nothing, onNext: nothing };
  return (
    <SessionContext value={{ status: "signed-in", me: { id: "admin", email: "admin@example.com" } as Me, asOf: 0 }}>
      <RequestPanel id={id} isPage focusOn={undefined} ticked={new Set()} ownStatus={undefined} steps={null} {...events} />
      <p role="status">{useReportedError() ?? ""}</p>
    </SessionContext>
  );
}

/** Approves, in vain as often as there are errors, and then reads that the request is approved. */
async function approveInVain(codes: ErrorCode[], by?: string): Promise<void> {
  vi.spyOn(console, "error").mockImplementation(() => {});
  get.mockResolvedValue(as("pending"));
  const { user } = show(<Desk />);
  const button = await screen.findByRole("button", { name: /^Approve the payment of/ });
  for (const code of codes) {
    approve.mockRejectedValueOnce(new ProductError(code));
    await user.click(button);
    await screen.findByText(errors[code].text);
  }
  get.mockResolvedValue(as("approved", by));
  await act(() => queryClient.invalidateQueries(paymentRequestOptions(id)));
  await screen.findByRole("button", { name: /^Reopen the payment of/ });
}
const isElsewhere = (): boolean => screen.queryByText(/^Approved in another window by/) !== null;

beforeEach(() => {
  approve.mockReset();
  id = `request-${++count}`;
});

// REVIEW-6
test("a decision of another window is displayed with who made it", async () => {
  await approveInVain([]);
  expect(isElsewhere()).toBe(true);
});

test("a decision that was refused is taken for another window's", async () => {
  await approveInVain(["payment_request_decided"]);
  expect(isElsewhere()).toBe(true);
});

test("a decision whose reply was lost is taken for this window's own", async () => {
  await approveInVain(["offline"]);
  expect(isElsewhere()).toBe(false);
});

test("a lost decision is this window's own also where its second try is refused", async () => {
  await approveInVain(["offline", "payment_request_decided"]);
  expect(isElsewhere()).toBe(false);
});

test("a decision of another admin is displayed also after a lost one of this window", async () => {
  await approveInVain(["offline"], "other@example.com");
  expect(screen.getByText("Approved in another window by other@example.com.")).toBeDefined();
});

test("a reopening that another admin was faster with is refused with a word", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  let refuse = (_reason: ProductError): void => {};
  reopen.mockReturnValue(new Promise((_resolve, reject) => (refuse = reject)));
  get.mockResolvedValue(as("approved"));
  const { user } = show(<Desk />);
  await user.click(await screen.findByRole("button", { name: /^Reopen the payment of/ }));
  await user.type(await screen.findByLabelText("Reason"), "Wrong request");
  await user.click(screen.getByRole("button", { name: "Reopen payment" }));

  get.mockResolvedValue(as("pending", "other@example.com"));
  invalidateAfter("payment-requests");
  await act(settled);
  expect(screen.getByLabelText<HTMLTextAreaElement>("Reason").value).toBe("Wrong request");

  refuse(new ProductError("payment_request_not_decided"));
  expect(await screen.findByText("Reopened in another window by other@example.com.")).toBeDefined();
  expect(screen.getByText(errors.payment_request_not_decided.text)).toBeDefined();
});

// ACCESS-4
test("says why the admin's own request cannot be approved, in place of the buttons", async () => {
  const bank = {
    crypto_type: "thai_bank",
    amount_crypto: "17395.00",
    wallet_address: "somewhere",
    amount_received: null,
    rest: null,
  };
  const own = { ...as("pending"), ...bank, user_id: "admin" } as PaymentRequestDetail;
  get.mockResolvedValue(own);
  show(<Desk />);
  await screen.findByRole("button", { name: "Reject the payment of malee@example.com" });
  const offered = ["Approve the payment", "Accept another amount", "Ask for the rest"].filter(
    (name) => screen.queryByRole("button", { name: new RegExp(name) }) !== null,
  );
  expect(offered).toEqual([]);
  expect(screen.queryByText(errors.payment_request_own.text)).not.toBeNull();
});
