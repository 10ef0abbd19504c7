// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { show } from "../../../../../../tests/support/render.tsx";
import { Parts } from "./parts.tsx";

vi.mock("../../../../platform/api.ts", () => ({ api: {} }));

test("a part's screenshot is opened from a line of its own", () => {
  const part = {
    id: "part-1",
    amount_asked: "0.0497",
    wallet_address: "0xabc",
    reference: null,
    screenshot_url: "rest.png",
    submitted_at: "2026-11-26T07:39:00.000Z",
  };
  const request = { id: "request-1", email: "cai@example.com", crypto_type: "ethereum", wallet_address: "0xabc" };
  const given = { ...request, rest: null, note: null, parts: [part] } as unknown as ReviewedPaymentRequest;
  show(<Parts request={given} />);
  const button = screen.getByRole("button", { name: "View screenshot of the rest of 0.04970000 ETH of cai@example.com" });
  expect(button.parentElement?.tagName).toBe("DIV");
  expect(button.parentElement?.textContent).toBe("View screenshot");
});
