import { expect, test } from "vitest";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { isSettled, maySubmitAgain, openRequest, purchaseOf } from "./next-step.ts";

const request = (
  id: string,
  package_type: PaymentRequest["package_type"],
  status: PaymentRequest["status"],
): PaymentRequest => ({
  id,
  user_id: "student",
  package_type,
  original_usd: "497",
  discount_percent: "0",
  discount_usd: "0",
  upgrade_credit_usd: "0",
  amount_usd: "497",
  amount_crypto: "0.01104445",
  crypto_type: "bitcoin",
  coupon_code: null,
  wallet_address: "bc1a",
  reference: null,
  paid_by_earlier_quote: null,
  destination_current: true,
  amount_received: null,
  amount_owed: null,
  rest: null,
  parts: [],
  resubmits: null,
  approval_seen_at: null,
  status,
  rejection_reason: status === "rejected" ? "Too low." : null,
  screenshot_url: "a.png",
  created_at: "2026-11-21T00:00:00Z",
  decided_at: null,
  receipt_number: null,
});

const refused = request("1", "starter", "rejected");

test("the last rejected request for a package that one lacks can be submitted again", () => {
  expect(maySubmitAgain([refused], refused, "unpaid")).toBe(true);
  expect(isSettled([refused], "unpaid")).toBe(false);
});

test("an older rejection cannot, nor one that a newer request follows", () => {
  const again = request("2", "starter", "pending");
  expect(maySubmitAgain([again, refused], refused, "unpaid")).toBe(false);
  const refusedAgain = request("3", "starter", "rejected");
  expect(maySubmitAgain([refusedAgain, refused], refused, "unpaid")).toBe(false);
  expect(maySubmitAgain([refusedAgain, refused], refusedAgain, "unpaid")).toBe(true);
});

test("a request for the other package changes nothing", () => {
  expect(maySubmitAgain([request("2", "advanced", "pending"), refused], refused, "unpaid")).toBe(true);
});

test("who has the package, or a larger one, need not submit again", () => {
  expect(maySubmitAgain([refused], refused, "starter")).toBe(false);
  expect(maySubmitAgain([refused], refused, "advanced")).toBe(false);
  expect(isSettled([refused], "starter")).toBe(true);
});

// DECIDE-2, JOURNEY-5, PAY-10, REOPEN-1
test("a request that was reopened and rejected again comes before a newer one", () => {
  const decided = (id: string, decided_at: string) => ({ ...request(id, "starter", "rejected"), decided_at });
  const [older, newer] = [decided("1", "2026-11-21T03:00:00Z"), decided("2", "2026-11-21T02:00:00Z")];
  expect(purchaseOf([newer, older], "unpaid", "starter")).toEqual({ step: "submit-again", request: older });
  expect(openRequest([newer, older], "unpaid")?.id).toBe("1");
  expect(maySubmitAgain([newer, older], newer, "unpaid")).toBe(false);
  // A clock that was set back: the older one cannot be submitted another time.
  const again = { ...newer, resubmits: "1" };
  expect(purchaseOf([again, older], "unpaid", "starter")).toEqual({ step: "submit-again", request: again });
});

// REOPEN-1, PAY-6
test("a reopened request comes before a newer rejection of its package", () => {
  const requests = [request("2", "starter", "rejected"), request("1", "starter", "pending")];
  expect(purchaseOf(requests, "unpaid", "starter")).toEqual({ step: "wait", request: requests[1] });
  expect(maySubmitAgain(requests, requests[0]!, "unpaid")).toBe(false);
  expect(openRequest(requests, "unpaid")?.id).toBe("1");
});

test.each([
  ["nothing was asked for", [], "unpaid", { step: "buy" }],
  ["a request is pending", [request("2", "starter", "pending"), refused], "unpaid", { step: "wait", id: "2" }],
  ["the last request was rejected", [refused], "unpaid", { step: "submit-again", id: "1" }],
  ["the package is owned", [request("4", "starter", "approved")], "starter", { step: "owned", id: "4" }],
  ["the package was given by the admin", [refused], "starter", { step: "owned" }],
  ["a larger package is owned", [], "advanced", { step: "owned" }],
  ["a request is pending for an owned package", [request("2", "starter", "pending")], "advanced", { step: "wait", id: "2" }],
  ["the package was taken away again", [request("4", "starter", "approved")], "unpaid", { step: "buy" }],
  ["a request for the other package is pending", [request("5", "advanced", "pending")], "unpaid", { step: "buy" }],
] as const)("returns the next step for Starter when %s", (_state, requests, tier, { step, ...expected }) => {
  const purchase = purchaseOf([...requests], tier, "starter");
  expect(purchase.step).toBe(step);
  expect("request" in purchase ? purchase.request?.id : undefined).toBe("id" in expected ? expected.id : undefined);
});

test("the rest of a pending request is to be paid, unless the package is owned", () => {
  const rest = {
    asked_at: "2026-11-21T00:00:00Z",
    destination_changed: false,
    former_destinations: [] as string[],
    method: { crypto_type: "bitcoin", available: true, amount_crypto: "0.00104445", wallet_address: "bc1a" },
  } as const;
  const asked = { ...request("2", "starter", "pending"), rest, amount_received: "0.01000000", amount_owed: "0.00104445" };
  for (const requests of [[asked], [request("3", "starter", "rejected"), asked]]) {
    expect(purchaseOf(requests, "unpaid", "starter")).toEqual({ step: "pay-rest", request: asked, rest });
    expect(purchaseOf(requests, "advanced", "starter")).toEqual({ step: "wait", request: asked });
  }
  expect(isSettled([asked], "unpaid")).toBe(false);
  expect(openRequest([asked], "unpaid")).toBe(asked);
});

// DECIDE-7, JOURNEY-5
test("a pending request for an owned package gives way to one that is lacked", () => {
  const requests = [request("2", "starter", "pending"), request("1", "advanced", "rejected")];
  expect(openRequest(requests, "unpaid")?.id).toBe("2");
  expect(openRequest(requests, "starter")?.id).toBe("1");
  expect(openRequest(requests, "advanced")).toBeUndefined();
});

test("a pending request is never settled, approved ones are", () => {
  expect(isSettled([request("2", "advanced", "pending"), request("1", "starter", "approved")], "starter")).toBe(false);
  expect(isSettled([request("1", "starter", "approved")], "starter")).toBe(true);
});
