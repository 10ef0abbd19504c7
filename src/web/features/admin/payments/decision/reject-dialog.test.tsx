// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { errors, ProductError } from "#domain/errors/messages";
import { show } from "../../../../../../tests/support/render.tsx";
import { api } from "../../../../platform/api.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { reasonsOptions } from "./reasons.ts";
import { RejectDialog } from "./reject-dialog.tsx";

vi.mock("../../../../platform/api.ts", () => ({
  api: {
    paymentRequests: { reject: vi.fn<() => unknown>() },
    rejectionReasons: { get: vi.fn<() => unknown>(), put: vi.fn<() => unknown>() },
  },
}));
const { reject } = vi.mocked(api.paymentRequests);
const reasons = vi.mocked(api.rejectionReasons);
const request = { id: "request-1", email: "malee@example.com", crypto_type: null } as ReviewedPaymentRequest;
const rejected = { ...request, status: "rejected" } as ReviewedPaymentRequest;
const onRejected = vi.fn<(rejected: ReviewedPaymentRequest) => void>();

beforeEach(() => {
  onRejected.mockReset();
  reject.mockReset().mockResolvedValue(rejected);
  reasons.get.mockReset().mockResolvedValue({ reasons: ["Too little arrived.", "Nothing arrived."] });
  reasons.put.mockReset().mockImplementation(async ({ reasons: saved }) => ({ reasons: saved }));
});

async function open() {
  const result = show(<RejectDialog request={request} isOpen onRejected={onRejected} onClose={() => {}} />);
  await screen.findByRole("button", { name: /Too little arrived/ });
  return result;
}
const reasonField = () => screen.getByLabelText<HTMLTextAreaElement>("Reason");

// DECIDE-8
test("rejects with a saved reason that is chosen by its number", async () => {
  const { user } = await open();
  screen.getByRole("button", { name: /Too little arrived/ }).focus();
  await user.keyboard("2");
  expect(reasonField().value).toBe("Nothing arrived.");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Reject payment" }));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(onRejected).toHaveBeenCalledExactlyOnceWith(rejected));
  const body = { reason: "Nothing arrived.", amount_received: "" };
  expect(reject.mock.calls).toEqual([[{ params: { id: "request-1" }, body }]]);
});

test("chooses a saved reason by the place of its number on a Thai keyboard", async () => {
  await open();
  fireEvent.keyDown(screen.getByRole("button", { name: /Too little arrived/ }), { key: "/", code: "Digit2" });
  expect(reasonField().value).toBe("Nothing arrived.");
});

test("a missing reason is asked for at its field, which gets the focus", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Reject payment" }));
  await waitFor(() => expect(document.activeElement).toBe(reasonField()));
  expect(reasonField().getAttribute("aria-invalid")).toBe("true");
});

// TEXT-2
test("a pasted reason that is too long is refused with its limit, not cut off", async () => {
  const { user } = await open();
  await user.click(reasonField());
  await user.paste("r".repeat(501));
  await user.click(screen.getByRole("button", { name: "Reject payment" }));
  expect(await screen.findByText("Please use at most 500 characters.")).toBeDefined();
  expect(reject).not.toHaveBeenCalled();
});

// ADMIN-5
test("keeps what was typed while the dialog is closed, for the same request alone", async () => {
  const dialog = (one: ReviewedPaymentRequest, isOpen: boolean): ReactNode => (
    <RejectDialog key={one.id} request={one} isOpen={isOpen} onRejected={onRejected} onClose={onClose} />
  );
  const onClose = vi.fn<() => void>();
  const { user, rerender } = show(dialog(request, true));
  await user.type(await screen.findByLabelText("Reason"), "Another sender");
  await user.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
  rerender(dialog(request, false));
  rerender(dialog(request, true));
  expect(reasonField().value).toBe("Another sender");
  rerender(dialog({ ...request, id: "request-2" }, true));
  expect(reasonField().value).toBe("");
  rerender(dialog(request, true));
  expect(reasonField().value).toBe("Another sender");
  await user.click(screen.getByRole("button", { name: "Reject payment" }));
  await waitFor(() => expect(onRejected).toHaveBeenCalledOnce());
  rerender(dialog({ ...request, id: "request-2" }, true));
  rerender(dialog(request, true));
  expect(reasonField().value).toBe("");
});

test("types a number into the reason like any other text", async () => {
  const { user } = await open();
  await user.type(reasonField(), "Only 2 of 3 parts.");
  expect(reasonField().value).toBe("Only 2 of 3 parts.");
});

test("saves edited reasons, one a line, each once", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Edit saved reasons" }));
  const lines = screen.getByLabelText<HTMLTextAreaElement>("One reason a line");
  expect(lines.value).toBe("Too little arrived.\nNothing arrived.");
  await user.clear(lines);
  await user.type(lines, "Nothing arrived.\n\n  Another bank. \nNothing arrived.");
  await user.click(screen.getByRole("button", { name: "Save reasons" }));
  expect(reasons.put.mock.calls).toEqual([[{ reasons: ["Nothing arrived.", "Another bank."] }]]);
  expect(await screen.findByRole("button", { name: /Another bank/ })).toBeDefined();
  expect(screen.queryByRole("button", { name: /Too little arrived/ })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit saved reasons" }));
});

// DECIDE-8
test("what another window has changed of the reasons meanwhile stays", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Edit saved reasons" }));
  reasons.get.mockResolvedValue({ reasons: ["Wrong address.", "Nothing arrived."] });
  await act(() => queryClient.invalidateQueries(reasonsOptions));
  await screen.findByRole("button", { name: /Wrong address/ });
  await user.type(screen.getByLabelText("One reason a line"), "\nAnother bank.");
  await user.click(screen.getByRole("button", { name: "Save reasons" }));
  expect(reasons.put.mock.calls).toEqual([[{ reasons: ["Nothing arrived.", "Another bank.", "Wrong address."] }]]);
});

/** Reads the saved reasons again, of which the first is a new one. */
async function readAgain(now: string[]): Promise<void> {
  reasons.get.mockResolvedValue({ reasons: now });
  await act(() => queryClient.invalidateQueries(reasonsOptions));
  await screen.findByRole("button", { name: new RegExp(now[0]!) });
}

test("a saved reason whose reply was lost can be corrected", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Edit saved reasons" }));
  await user.clear(screen.getByLabelText("One reason a line"));
  await user.type(screen.getByLabelText("One reason a line"), "Anoter bank.");
  reasons.put.mockRejectedValueOnce(new ProductError("offline"));
  await user.click(screen.getByRole("button", { name: "Save reasons" }));
  await screen.findByText(errors.offline.text);
  await readAgain(["Anoter bank.", "Of another window."]);
  await user.clear(screen.getByLabelText("One reason a line"));
  await user.type(screen.getByLabelText("One reason a line"), "Another bank.\nNothing arrived.");
  await user.click(screen.getByRole("button", { name: "Save reasons" }));
  expect(reasons.put.mock.lastCall).toEqual([{ reasons: ["Another bank.", "Nothing arrived.", "Of another window."] }]);
});

test("reasons of another window that make them too many can be removed", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Edit saved reasons" }));
  const lines = screen.getByLabelText<HTMLTextAreaElement>("One reason a line");
  await readAgain(["Wrong address.", "Too little arrived.", "Nothing arrived."]);
  reasons.put.mockRejectedValueOnce(new ProductError("invalid_input", { text: "Please keep at most 20 reasons." }));
  await user.click(screen.getByRole("button", { name: "Save reasons" }));
  await screen.findByText("Please keep at most 20 reasons.");
  expect(lines.value).toBe("Too little arrived.\nNothing arrived.\nWrong address.");
  await user.clear(lines);
  await user.type(lines, "Nothing arrived.");
  await user.click(screen.getByRole("button", { name: "Save reasons" }));
  expect(reasons.put.mock.lastCall).toEqual([{ reasons: ["Nothing arrived."] }]);
});

test("says at the editor why reasons were not saved, and keeps them", async () => {
  reasons.put.mockRejectedValue(new ProductError("reason_missing"));
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Edit saved reasons" }));
  await user.click(screen.getByRole("button", { name: "Save reasons" }));
  expect(await screen.findByText(errors.reason_missing.text)).toBeDefined();
  expect(screen.getByLabelText<HTMLTextAreaElement>("One reason a line").value).toContain("Nothing arrived.");
});
