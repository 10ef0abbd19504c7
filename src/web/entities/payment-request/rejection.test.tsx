// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { SubscriptionStatus } from "#domain/packages";
import { show } from "../../../../tests/support/render.tsx";
import { SessionContext } from "../session/session.tsx";
import { RejectionBanner } from "./rejection-banner.tsx";
import { Rejection } from "./rejection.tsx";

vi.mock("../../platform/api.ts", () => ({ api: {} }));

const rejected = {
  package_type: "starter",
  status: "rejected",
  rejection_reason: "Too little arrived.",
  crypto_type: "bitcoin",
  amount_crypto: "0.01104444",
  wallet_address: "bc1a",
  amount_received: "0.00500000",
  amount_owed: "0.00604444",
} as PaymentRequest;

// DECIDE-7
test.each<[SubscriptionStatus, string]>([
  ["unpaid", "Received 0.00500000 BTC, still to pay 0.00604444 BTC"],
  ["starter", "Received 0.00500000 BTC"],
  ["advanced", "Received 0.00500000 BTC"],
])("a rejected Starter payment of a student who is %s has what is still owed", (tier, expected) => {
  const me = { subscription_status: tier } as Me;
  const { container } = show(
    <SessionContext value={{ status: "signed-in", me, asOf: 0 }}>
      <Rejection request={rejected} />
    </SessionContext>,
  );
  expect(container.textContent).toBe(`Reason: Too little arrived.${expected}`);
});

test.each([
  ["0.00500000", "What has arrived counts: send only the rest, and submit the payment again."],
  ["0.00000000", "Nothing has arrived. If you have sent it, submit the payment again; if not, send the whole amount first."],
])("the banner of a payment of which %s has arrived says what to send", (amount_received, expected) => {
  const me = { subscription_status: "unpaid" } as Me;
  const { container } = show(
    <SessionContext value={{ status: "signed-in", me, asOf: 0 }}>
      <RejectionBanner request={{ ...rejected, amount_received }} />
    </SessionContext>,
  );
  expect(container.textContent).toContain(expected);
});
