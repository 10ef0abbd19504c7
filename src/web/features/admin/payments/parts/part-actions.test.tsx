// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { fieldTexts } from "#domain/errors/field-texts";
import { errors, ProductError } from "#domain/errors/messages";
import { show } from "../../../../../../tests/support/render.tsx";
import { api } from "../../../../platform/api.ts";
import { useReportedError } from "../../../../platform/query/reported-error.ts";
import { PartActions } from "./part-actions.tsx";

vi.mock("../../../../platform/api.ts", () => ({
  api: { paymentRequests: { approve: vi.fn<() => unknown>(), askRest: vi.fn<() => unknown>() } },
}));
const { approve, askRest } = vi.mocked(api.paymentRequests);
const request = {
  id: "request-1",
  email: "malee@example.com",
  package_type: "starter",
  payer_tier: "unpaid",
  crypto_type: "thai_bank",
  amount_crypto: "17395.00",
  wallet_address: "somewhere",
  amount_received: null,
  rest: null,
  evidence: [],
} as unknown as ReviewedPaymentRequest;
const asked = { ...request, amount_received: "17000.00", rest: { asked_at: "now" } } as unknown as ReviewedPaymentRequest;

const open = (given: Partial<ReviewedPaymentRequest> = {}, isMoneySeen = false) =>
  show(<PartActions {...props} request={{ ...request, ...given }} isMoneySeen={isMoneySeen} />);
const tick = () => screen.getByRole<HTMLInputElement>("checkbox", { name: "I have seen the money arrive" });
const received = () => screen.findByLabelText<HTMLInputElement>(/^Received in THB/);
const onApproved = vi.fn<(approved: ReviewedPaymentRequest) => void>();
const props = { request, tick: "one picture", isMoneySeen: false, onApproved };
beforeEach(() => {
  onApproved.mockReset();
  approve.mockReset().mockResolvedValue({} as ReviewedPaymentRequest);
  askRest.mockReset().mockResolvedValue({} as ReviewedPaymentRequest);
});

// PART-3
test("asks for the rest with the amount received and the note", async () => {
  const { user } = open();
  await user.click(screen.getByRole("button", { name: /^Ask for the rest/ }));
  await user.type(await received(), "17000");
  await user.type(screen.getByLabelText(/^Note/), "A fee.");
  await user.click(screen.getByRole("button", { name: "Ask for the rest" }));
  const body = { amount_received: "17000", note: "A fee." };
  expect(askRest.mock.calls).toEqual([[{ params: { id: "request-1" }, body }]]);
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
});

// TEXT-2
test("a pasted note that is too long is refused with its limit, not cut off", async () => {
  const { user } = open();
  await user.click(screen.getByRole("button", { name: /^Ask for the rest/ }));
  await user.type(await received(), "17000");
  await user.click(screen.getByLabelText(/^Note/));
  await user.paste("n".repeat(501));
  await user.click(screen.getByRole("button", { name: "Ask for the rest" }));
  expect(await screen.findByText("Please use at most 500 characters.")).toBeDefined();
  expect(askRest).not.toHaveBeenCalled();
});

test("displays at the field why an amount leaves no rest", async () => {
  askRest.mockRejectedValue(new ProductError("rest_amount_invalid"));
  const { user } = open();
  await user.click(screen.getByRole("button", { name: /^Ask for the rest/ }));
  await user.type(await received(), "17395");
  await user.click(screen.getByRole("button", { name: "Ask for the rest" }));
  expect(await screen.findByText(errors.rest_amount_invalid.text)).toBeDefined();
  expect((await received()).getAttribute("aria-invalid")).toBe("true");
});

test("does not ask again while the rest is open, and begins with what has arrived", async () => {
  const { user } = open(asked);
  expect(screen.queryByRole("button", { name: /^Ask for the rest/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: /^Accept another amount/ }));
  expect((await received()).value).toBe("17000.00");
});

test("asks for no rest of a package that the student has by now", () => {
  open({ payer_tier: "advanced" });
  expect(screen.queryByRole("button", { name: /^Ask for the rest/ })).toBeNull();
  expect(screen.getByRole("button", { name: /^Accept another amount/ })).toBeDefined();
});

test("begins with what the chain has, and keeps what is typed when that changes", async () => {
  const onChain = (amount_received: string) => {
    const chain = { kind: "chain", verdict: "short", details: { amount_received } };
    const given = { ...request, crypto_type: "bitcoin", evidence: [chain] } as unknown as ReviewedPaymentRequest;
    return <PartActions {...props} request={given} />;
  };
  const { user, rerender } = show(onChain("0.01000000"));
  const openDialog = () => user.click(screen.getByRole("button", { name: /^Accept another amount/ }));
  const field = () => screen.findByLabelText<HTMLInputElement>(/^Received in BTC/);
  await openDialog();
  expect((await field()).value).toBe("0.01000000");
  await user.type(screen.getByLabelText(/^Note/), "A fee.");
  rerender(onChain("0.02000000"));
  expect((await field()).value).toBe("0.01000000");
  expect(screen.getByLabelText<HTMLInputElement>(/^Note/).value).toBe("A fee.");

  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  await openDialog();
  expect((await field()).value).toBe("0.02000000");
});

// PART-1, PACKAGE-3
test.each([
  ["unpaid", false],
  ["advanced", true],
] as const)("accepts another amount from a student who is %s, confirming a downgrade: %s", async (payer_tier, lowers) => {
  const { user } = open({ payer_tier });
  await user.click(screen.getByRole("button", { name: /^Accept another amount/ }));
  await user.type(await received(), "17400");
  await user.click(tick());
  expect(screen.queryByText(errors.downgrade_unconfirmed.text) !== null).toBe(lowers);
  await user.click(screen.getByRole("button", { name: "Approve with this amount" }));
  const body = { amount_received: "17400", note: "", confirm_downgrade: lowers };
  expect(approve.mock.calls).toEqual([[{ params: { id: "request-1" }, body }]]);
  await waitFor(() => expect(onApproved).toHaveBeenCalledOnce());
});

function Reported(): ReactNode {
  return <output>{useReportedError() ?? ""}</output>;
}

// REVIEW-6
test("another amount of a payment that was decided meanwhile is refused with a word", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  approve.mockRejectedValue(new ProductError("payment_request_decided"));
  const actions = (given: ReviewedPaymentRequest | undefined): ReactNode => (
    <>
      {given && <PartActions {...props} request={given} isMoneySeen />}
      <Reported />
    </>
  );
  const { user, rerender } = show(actions(request));
  await user.click(screen.getByRole("button", { name: /^Accept another amount/ }));
  await user.type(await received(), "17400");
  await user.click(screen.getByRole("button", { name: "Approve with this amount" }));
  await screen.findAllByText(errors.payment_request_decided.text);
  rerender(actions(undefined));
  expect(screen.getByRole("status").textContent).toBe(errors.payment_request_decided.text);
});

// REVIEW-3
test("approves no other amount without the amount and the tick", async () => {
  const { user } = open();
  const approveIt = () => user.click(screen.getByRole("button", { name: "Approve with this amount" }));
  await user.click(screen.getByRole("button", { name: /^Accept another amount/ }));
  await received();
  await approveIt();
  expect(await screen.findByText(errors.amount_received_unreadable.text)).toBeDefined();
  expect(screen.getByText(fieldTexts.tick_missing)).toBeDefined();
  await user.type(await received(), "17400");
  await approveIt();
  expect(await screen.findByText(fieldTexts.tick_missing)).toBeDefined();
  expect(approve).not.toHaveBeenCalled();
  await user.click(tick());
  await approveIt();
  await waitFor(() => expect(onApproved).toHaveBeenCalledOnce());
});

test("another amount begins with the tick of the decision", async () => {
  const { user } = open({}, true);
  await user.click(screen.getByRole("button", { name: /^Accept another amount/ }));
  await received();
  expect(tick().checked).toBe(true);
});

test.each([true, false])("a further part takes the tick and nothing else, ticked before: %s", async (isMoneySeen) => {
  const { user, rerender } = open({}, isMoneySeen);
  await user.click(screen.getByRole("button", { name: /^Accept another amount/ }));
  await user.type(await received(), "17400");
  if (!isMoneySeen) await user.click(tick());
  rerender(<PartActions {...props} tick="two pictures" />);
  expect(tick().checked).toBe(false);
  expect((await received()).value).toBe("17400");
  await user.click(screen.getByRole("button", { name: "Approve with this amount" }));
  expect(await screen.findByText(fieldTexts.tick_missing)).toBeDefined();
  expect(approve).not.toHaveBeenCalled();
});

test.each([
  ["a deleted account", { payer_tier: null }],
  ["nothing to pay", { crypto_type: null }],
])("offers neither for %s", (_what, given) => {
  open(given);
  expect(screen.queryByRole("button")).toBeNull();
});
