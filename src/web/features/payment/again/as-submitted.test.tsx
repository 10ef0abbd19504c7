// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { show } from "../../../../../tests/support/render.tsx";
import { AsSubmitted } from "./as-submitted.tsx";

const paidLate = (isCurrent: boolean): PaymentRequest =>
  ({
    id: "late",
    package_type: "starter",
    original_usd: "497",
    discount_usd: "0",
    discount_percent: "0",
    upgrade_credit_usd: "0",
    amount_usd: "497",
    amount_crypto: "0.01104445",
    crypto_type: "bitcoin",
    coupon_code: null,
    wallet_address: "bc1new",
    destination_current: !isCurrent,
    paid_by_earlier_quote: {
      amount_usd: "497",
      amount_crypto: "0.0125",
      wallet_address: "bc1earlier",
      destination_current: isCurrent,
      quoted_at: "2026-11-20T00:00:00Z",
    },
    created_at: "2026-11-21T00:00:00Z",
  }) as PaymentRequest;

// PAY-10
test.each([true, false])("marks a late payment's destination as old unless it is current: %s", (isCurrent) => {
  show(<AsSubmitted request={paidLate(isCurrent)} />);
  const text = document.body.textContent;
  expect(text).toContain("bc1earlier");
  expect(text.includes("This is the old address")).toBe(!isCurrent);
});
