// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import { errors } from "#domain/errors/messages";
import { show } from "../../../../../../tests/support/render.tsx";
import { api } from "../../../../platform/api.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { announceDecision } from "../decision/announce.ts";
import { Outcome } from "./outcome.tsx";
import { paymentRequestOptions } from "./queries.ts";

vi.mock("../../../../platform/api.ts", () => ({ api: { paymentRequests: { reopen: vi.fn<() => unknown>() } } }));
const rejected = {
  id: "request-1",
  email: "malee@example.com",
  package_type: "starter",
  payer_tier: "unpaid",
  status: "rejected",
  decided_at: "2026-11-26T00:00:00.000Z",
  rejection_reason: "Nothing arrived.",
  receipt_number: null,
  history: [],
} as unknown as PaymentRequestDetail;
const other = { id: "request-2", package_type: "starter", status: "rejected", resubmits: null };
const open = (given: object = {}) => show(<Outcome request={{ ...rejected, ...given }} onReopened={() => {}} />);
const reopen = () => screen.queryByRole("button", { name: "Reopen the payment of malee@example.com" });

// REOPEN-1
test.each([
  ["its account was deleted", { payer_tier: null }, "user_not_found"],
  ["it was submitted again", { history: [{ ...other, resubmits: "request-1" }] }, "payment_request_resubmitted"],
  ["another for its package is pending", { history: [{ ...other, status: "pending" }] }, "payment_request_other_open"],
] as const)("does not offer to reopen a request once %s, and says why", (_why, given, refusal) => {
  open(given);
  expect(reopen()).toBeNull();
  expect(screen.getByText(/cannot be reopened/).textContent).toContain(errors[refusal].text);
});

test.each([[], [other], [{ ...other, status: "pending", package_type: "advanced" }]])(
  "offers to reopen a request beside others of its student: %j",
  (...history) => {
    open({ history });
    expect(reopen()).not.toBeNull();
  },
);

// ADMIN-5
test("keeps the typed reason to reopen a request while the dialog is closed", async () => {
  const { user } = open();
  await user.click(reopen()!);
  await user.type(await screen.findByLabelText("Reason"), "Wrong request");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByLabelText("Reason")).toBeNull());
  await user.click(reopen()!);
  expect((await screen.findByLabelText<HTMLTextAreaElement>("Reason")).value).toBe("Wrong request");
});

// REVIEW-5
test("a reopening is of the decision that it was begun for", async () => {
  vi.mocked(api.paymentRequests.reopen).mockResolvedValue({ ...rejected, status: "pending" });
  const { user, rerender } = show(<Outcome request={rejected} onReopened={() => {}} />);
  await user.click(reopen()!);
  await user.type(await screen.findByLabelText("Reason"), "Wrong request");
  rerender(<Outcome request={{ ...rejected, decided_at: "2026-11-27T00:00:00.000Z" }} onReopened={() => {}} />);
  await user.click(screen.getByRole("button", { name: "Reopen payment" }));
  const { decided_at } = rejected;
  expect(api.paymentRequests.reopen).toHaveBeenLastCalledWith(
    expect.objectContaining({ body: expect.objectContaining({ decided_at }) }),
  );
});

// REVIEW-5, REVIEW-6
test.each(["Reopen", "Undo"])("%s names the decision and stores the request before it is displayed", async (how) => {
  const { queryKey } = paymentRequestOptions("request-1");
  queryClient.setQueryData(queryKey, rejected);
  vi.mocked(api.paymentRequests.reopen).mockResolvedValue({ ...rejected, status: "pending" });
  const onReopened = vi.fn<() => void>(() => expect(queryClient.getQueryData(queryKey)?.status).toBe("pending"));
  if (how === "Undo") announceDecision(rejected, () => onReopened)();
  else {
    const { user } = show(<Outcome request={rejected} onReopened={onReopened} />);
    await user.click(reopen()!);
    await user.type(await screen.findByLabelText("Reason"), "Wrong request");
    await user.click(screen.getByRole("button", { name: "Reopen payment" }));
  }
  await waitFor(() => expect(onReopened).toHaveReturned());
  const { decided_at } = rejected;
  expect(api.paymentRequests.reopen).toHaveBeenLastCalledWith(
    expect.objectContaining({ body: expect.objectContaining({ decided_at }) }),
  );
});
