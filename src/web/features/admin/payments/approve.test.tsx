// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { errors, ProductError } from "#domain/errors/messages";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { useReportedError } from "../../../platform/query/reported-error.ts";
import { ApproveButton } from "./approve.tsx";

vi.mock("../../../platform/api.ts", () => ({ api: { paymentRequests: { approve: vi.fn<() => unknown>() } } }));
const approve = vi.mocked(api.paymentRequests.approve);
const request = { id: "request-1", email: "malee@example.com" } as ReviewedPaymentRequest;

const Reported = () => <p role="status">{useReportedError() ?? ""}</p>;
const open = () =>
  show(
    <>
      <ApproveButton request={request} />
      <Reported />
    </>,
  );
beforeEach(() => void approve.mockReset());

test("approves at a click", async () => {
  approve.mockResolvedValue({} as ReviewedPaymentRequest);
  const { user } = open();
  await user.click(screen.getByRole("button", { name: /^Approve the payment of/ }));
  expect(approve.mock.calls).toEqual([[{ params: { id: "request-1" }, body: {} }]]);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("asks before a downgrade and confirms it", async () => {
  approve.mockRejectedValueOnce(new ProductError("downgrade_unconfirmed")).mockResolvedValue({} as ReviewedPaymentRequest);
  const { user } = open();
  await user.click(screen.getByRole("button", { name: /^Approve the payment of/ }));
  const dialog = await screen.findByRole("alertdialog", { name: "This lowers the package" });
  expect(dialog.textContent).toContain("malee@example.com");
  await user.click(screen.getByRole("button", { name: "Approve anyway" }));
  expect(approve.mock.lastCall).toEqual([{ params: { id: "request-1" }, body: { confirm_downgrade: true } }]);
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getByRole("status").textContent).toBe("");
});

test("a downgrade that is not confirmed sends nothing more", async () => {
  approve.mockRejectedValue(new ProductError("downgrade_unconfirmed"));
  const { user } = open();
  await user.click(screen.getByRole("button", { name: /^Approve the payment of/ }));
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(approve).toHaveBeenCalledOnce();
});

test("any other refusal is reported to the page, without a dialog", async () => {
  approve.mockRejectedValue(new ProductError("payment_request_decided"));
  const { user } = open();
  await user.click(screen.getByRole("button", { name: /^Approve the payment of/ }));
  expect(await screen.findByText(errors.payment_request_decided.text)).toBeDefined();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});
