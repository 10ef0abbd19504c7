// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { useEffect, useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { errors, ProductError } from "#domain/errors/messages";
import { show } from "../../../../../../tests/support/render.tsx";
import { api } from "../../../../platform/api.ts";
import { useReportedError } from "../../../../platform/query/reported-error.ts";
import { Approve } from "./approve.tsx";

vi.mock("../../../../platform/api.ts", () => ({ api: { paymentRequests: { approve: vi.fn<() => unknown>() } } }));
const approve = vi.mocked(api.paymentRequests.approve);
const onApproved = vi.fn<(approved: ReviewedPaymentRequest) => void>();
const clean = {
  id: "request-1",
  email: "malee@example.com",
  crypto_type: "bitcoin",
  evidence: [{ kind: "reference", verdict: "unique", text: "No request of another student has this reference." }],
} as unknown as ReviewedPaymentRequest;
const flag = (kind: string, verdict: string, text: string) => ({ kind, verdict, text });
const withFlags = (...evidence: object[]) => ({ ...clean, evidence }) as unknown as ReviewedPaymentRequest;

/** Takes the tick away, as a further part does. */
let loseTick = (): void => {};
function Desk({ request }: { request: ReviewedPaymentRequest }) {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => void (loseTick = () => setSeen(false)), []);
  return (
    <>
      <Approve request={request} isMoneySeen={isSeen} onMoneySeen={setSeen} onApproved={onApproved}>
        <button type="button">Reject</button>
      </Approve>
      <p role="status">{useReportedError() ?? ""}</p>
    </>
  );
}
const open = (request = clean) => show(<Desk request={request} />);
const body = (given: object) => [{ params: { id: "request-1" }, body: given }];
const tick = () => screen.getByRole<HTMLInputElement>("checkbox", { name: /^I have seen the money arrive/ });
const button = () => screen.getByRole("button", { name: /^Approve the payment of/ });
beforeEach(() => {
  approve.mockReset().mockResolvedValue({ ...clean, status: "approved" });
  onApproved.mockReset();
});

// REVIEW-3
test("approves a payment without flags by two keys", async () => {
  const { user } = open();
  await user.keyboard("ta");
  await waitFor(() => expect(onApproved).toHaveBeenCalledOnce());
  expect(approve.mock.calls).toEqual([body({})]);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("says that it is approved though the server's event took the question away first", async () => {
  let reply = (_approved: ReviewedPaymentRequest): void => {};
  approve.mockReturnValue(new Promise((done) => (reply = done)));
  const { user, unmount } = open();
  await user.keyboard("ta");
  unmount();
  reply({ ...clean, status: "approved" });
  await waitFor(() => expect(onApproved).toHaveBeenCalledOnce());
});

test("approves nothing without the tick, and asks for it", async () => {
  const { user } = open();
  await user.click(button());
  expect(document.activeElement).toBe(tick());
  expect(screen.getByRole("alert").textContent).toBe("Please tick this first.");
  await user.keyboard("aaa");
  expect(approve).not.toHaveBeenCalled();
  await user.keyboard(" ");
  expect(tick().checked).toBe(true);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("asks for no tick where nothing was to be paid", async () => {
  const { user } = open({ ...clean, crypto_type: null, evidence: [] });
  expect(screen.queryByRole("checkbox")).toBeNull();
  await user.click(button());
  expect(approve.mock.calls).toEqual([body({})]);
});

// REVIEW-4
test("asks once more where something is flagged, naming each flag", async () => {
  const { user } = open(
    withFlags(
      flag("reference", "disputed", "Somchai claimed the same transaction."),
      flag("screenshot", "same_file", "Somchai sent the same file."),
    ),
  );
  await user.keyboard("ta");
  const dialog = await screen.findByRole("alertdialog", { name: "Look again before you approve" });
  for (const text of ["Reference disputed", "Somchai claimed the same transaction.", "Same screenshot", clean.email]) {
    expect(dialog.textContent).toContain(text);
  }
  expect(approve).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Approve anyway" }));
  expect(approve.mock.calls).toEqual([body({})]);
  await waitFor(() => expect(onApproved).toHaveBeenCalledOnce());
});

// CHAIN-6
test("names what was flagged before the chain's service failed", async () => {
  const text = "The chain service does not answer. Before, it said: 0.01 BTC less than due.";
  const { user } = open(withFlags({ ...flag("chain", "unavailable", text), last_verdict: "short" }));
  await user.keyboard("ta");
  const dialog = await screen.findByRole("alertdialog", { name: "Look again before you approve" });
  for (const part of ["Too little arrived", text]) expect(dialog.textContent).toContain(part);
  expect(approve).not.toHaveBeenCalled();
});

// REVIEW-3
test.each([
  ["a flag", withFlags(flag("destination", "not_current", "An old address."))],
  ["a downgrade that the server has found", clean],
])("the question about %s approves nothing once the tick is gone", async (_what, request) => {
  approve.mockRejectedValueOnce(new ProductError("downgrade_unconfirmed"));
  const { user } = open(request);
  await user.keyboard("ta");
  const anyway = await screen.findByRole("button", { name: "Approve anyway" });
  const sent = approve.mock.calls.length;
  act(() => loseTick());
  await user.click(anyway);
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getByRole("alert").textContent).toBe("Please tick this first.");
  expect(approve).toHaveBeenCalledTimes(sent);
});

test("a flag that is not confirmed sends nothing", async () => {
  const { user } = open(withFlags(flag("destination", "not_current", "An old address.")));
  await user.keyboard("ta");
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(approve).not.toHaveBeenCalled();
});

// PACKAGE-3
test("confirms a downgrade that the evidence names", async () => {
  const { user } = open(withFlags(flag("downgrade", "downgrade", "The student has Advanced.")));
  await user.keyboard("ta");
  const dialog = await screen.findByRole("alertdialog", { name: "This lowers the package" });
  expect(dialog.textContent).toContain("The student has Advanced.");
  await user.click(screen.getByRole("button", { name: "Approve anyway" }));
  expect(approve.mock.calls).toEqual([body({ confirm_downgrade: true })]);
});

test("asks about a downgrade that only the server has found, and confirms it", async () => {
  approve.mockRejectedValueOnce(new ProductError("downgrade_unconfirmed"));
  const { user } = open();
  await user.keyboard("ta");
  const dialog = await screen.findByRole("alertdialog", { name: "This lowers the package" });
  expect(dialog.textContent).toContain(errors.downgrade_unconfirmed.text);
  await user.click(screen.getByRole("button", { name: "Approve anyway" }));
  expect(approve.mock.lastCall).toEqual(body({ confirm_downgrade: true }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getByRole("status").textContent).toBe("");
});

test("any other refusal is reported to the page, without a dialog", async () => {
  approve.mockRejectedValue(new ProductError("payment_request_decided"));
  const { user } = open();
  await user.keyboard("ta");
  expect(await screen.findByText(errors.payment_request_decided.text)).toBeDefined();
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(onApproved).not.toHaveBeenCalled();
});
