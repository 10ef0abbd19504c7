// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { show } from "../../../../tests/support/render.tsx";
import { translateTexts } from "../../../../tests/support/translate-texts.ts";
import { Owed } from "./owed.tsx";

vi.mock("../../platform/api.ts", () => ({ api: {} }));

const part = {
  package_type: "starter",
  status: "pending",
  crypto_type: "thai_bank",
  amount_crypto: "17395.00",
  wallet_address: "Bank 1",
  amount_received: "17000.00",
  amount_owed: "395.00",
} as PaymentRequest;

// PART-4
test.each([
  ["is asked for", { asked_at: "now" }, "Received 17,000.00 THB, still to pay 395.00 THB"],
  ["was sent", null, "Received 17,000.00 THB"],
])("a pending payment whose rest %s has what is still to pay", (_state, rest, expected) => {
  const { container } = show(<Owed request={{ ...part, rest } as PaymentRequest} tier="unpaid" />);
  expect(container.textContent).toBe(expected);
});

// TEXT-3
test("what is still to pay goes as a whole from a page that the browser translates", () => {
  const request = { ...part, rest: { asked_at: "now" } } as PaymentRequest;
  const { container, rerender } = show(<Owed request={request} tier="unpaid" />);
  translateTexts(container);
  rerender(<Owed request={{ ...request, status: "approved" }} tier="starter" />);
  expect(container.textContent).toBe("Received 17,000.00 THB");
});
