// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Receipt } from "#domain/api/payments/payment-requests";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { ReceiptPage } from "./page.tsx";
import { useReceipt } from "./queries.ts";

vi.mock("../../platform/api.ts", () => ({ api: {} }));
vi.mock("./queries.ts", () => ({ useReceipt: vi.fn<() => unknown>() }));
vi.mock("./receipt-sheet.tsx", () => ({ ReceiptSheet: () => <article /> }));

const data = { receipt_number: "2026-00001" } as Receipt;
const readAs = (code?: ErrorCode) =>
  vi.mocked(useReceipt).mockReturnValue({ data, error: code === undefined ? null : new ProductError(code) } as never);

// REOPEN-3
test("an open receipt is gone once cancelled, and stays where it cannot be read again", () => {
  readAs();
  const { rerender } = show(<ReceiptPage />);
  readAs("unavailable");
  rerender(<ReceiptPage />);
  expect(screen.getByRole("article")).toBeDefined();
  readAs("receipt_not_found");
  rerender(<ReceiptPage />);
  expect(screen.queryByRole("article")).toBeNull();
  expect(screen.queryByRole("button", { name: "Print" })).toBeNull();
  expect(screen.getByRole("heading", { name: "No receipt here" })).toBeDefined();
});
