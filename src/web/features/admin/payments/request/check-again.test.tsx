// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import { chainOff } from "#domain/evidence/chain";
import { show } from "../../../../../../tests/support/render.tsx";
import { api } from "../../../../platform/api.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { CheckAgain } from "./check-again.tsx";
import { paymentRequestOptions } from "./queries.ts";

vi.mock("../../../../platform/api.ts", () => ({ api: { paymentRequests: { check: vi.fn<() => unknown>() } } }));
const check = vi.mocked(api.paymentRequests.check);
beforeEach(() => void check.mockReset());

const off = chainOff(
  { coin: "bitcoin", amount: "0.01", amountUsd: "450", soughtAmount: "0.01", reference: null },
  "2026-11-22T12:00:00.000Z",
);
const requestWith = (...evidence: PaymentRequestDetail["evidence"]): PaymentRequestDetail =>
  ({ id: "request-1", email: "malee@example.com", evidence }) as PaymentRequestDetail;

test("checks the chain at a click and displays what came back", async () => {
  const checked = requestWith({ ...off, verdict: "matched" });
  check.mockResolvedValue(checked);
  queryClient.setQueryData(paymentRequestOptions("request-1").queryKey, requestWith(off));
  const { user } = show(<CheckAgain request={requestWith({ ...off, verdict: "unavailable" })} />);
  await user.click(screen.getByRole("button", { name: "Check again for the payment of malee@example.com" }));
  expect(check.mock.calls).toEqual([[{ params: { id: "request-1" } }]]);
  expect(queryClient.getQueryData(paymentRequestOptions("request-1").queryKey)).toEqual(checked);
});

test("offers no check where there is no chain to look at", () => {
  for (const request of [requestWith(), requestWith(off)]) {
    const { container } = show(<CheckAgain request={request} />);
    expect(container.querySelector("button")).toBeNull();
  }
});
