// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { SubscriptionStatus } from "#domain/packages";
import { show } from "../../../../tests/support/render.tsx";
import { Offers } from "./offers.tsx";

vi.mock("../../platform/api.ts", () => ({
  api: { quotes: { upgradeOffer: () => Promise.resolve({ original_usd: "997", upgrade_credit_usd: "0", amount_usd: "997" }) } },
}));

const request = (package_type: PaymentRequest["package_type"], status: PaymentRequest["status"]): PaymentRequest =>
  ({
    id: `${package_type} ${status}`,
    package_type,
    status,
    amount_usd: "497",
    amount_crypto: "17395.00",
    crypto_type: "thai_bank",
    amount_received: null,
    rest: null,
    wallet_address: "Bank 1",
    paid_by_earlier_quote: null,
    created_at: "2026-11-21T00:00:00Z",
  }) as PaymentRequest;

const links = (): (string | null)[] => screen.queryAllByRole("link").map(({ textContent }) => textContent);

// PAY-6
test.each<[string, SubscriptionStatus, PaymentRequest[], string[]]>([
  ["nothing was asked for", "unpaid", [], ["Buy Starter Package", "Buy Advanced Package"]],
  [
    "Starter is pending",
    "unpaid",
    [request("starter", "pending")],
    ["See what happens next for Starter", "Buy Advanced Package"],
  ],
  // The banner on top of the page has the one button for it (JOURNEY-5).
  ["Advanced was rejected", "unpaid", [request("advanced", "rejected")], ["Buy Starter Package"]],
  [
    "Advanced was rejected before Starter was asked for",
    "unpaid",
    [request("starter", "pending"), request("advanced", "rejected")],
    ["See what happens next for Starter", "Submit again for Advanced"],
  ],
  [
    "an older Starter request was reopened",
    "unpaid",
    [request("starter", "rejected"), request("starter", "pending")],
    ["See what happens next for Starter", "Buy Advanced Package"],
  ],
  ["Starter is owned", "starter", [request("starter", "approved")], ["Upgrade to Advanced"]],
  ["the upgrade is pending", "starter", [request("advanced", "pending")], ["See what happens next for Advanced"]],
  ["Advanced is owned", "advanced", [request("starter", "pending")], []],
])("offers what can be bought when %s", (_state, tier, requests, expected) => {
  show(<Offers tier={tier} requests={requests} />);
  expect(links()).toEqual(expected);
});

test("a pending request replaces its purchase card, with amount and state", () => {
  show(<Offers tier="unpaid" requests={[request("starter", "pending")]} />);
  const card = screen.getByRole("article", { name: "Your Starter payment" });
  expect(card.textContent).toContain("17,395.00 THB");
  expect(card.textContent).toContain("Waiting for approval");
});

// PART-4
test("the card of a payment that arrived in part does not call the amount due sent", () => {
  const part = { ...request("starter", "pending"), amount_received: "17000.00", amount_owed: "395.00" };
  show(<Offers tier="unpaid" requests={[part]} />);
  const card = screen.getByRole("article", { name: "Your Starter payment" });
  expect(card.textContent).toContain("Amount due17,395.00 THB");
  expect(card.textContent).toContain("Arrived17,000.00 THB");
  expect(card.textContent).not.toContain("You sent");
});
