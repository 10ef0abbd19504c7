import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { pay, setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const read = async (id: string) => (await operator.call("GET", `/api/payment-requests/${id}`)).body;
const verdictsOf = (request: any): Record<string, string> =>
  Object.fromEntries(request.evidence.map(({ kind, verdict }: { kind: string; verdict: string }) => [kind, verdict]));

/** EVIDENCE-1, EVIDENCE-4. */
describe("the evidence of a request", () => {
  it("is read with the request, its student's other requests and its audit log", async () => {
    const buyer = await student(app);
    const first = (await pay(buyer)).body;
    const second = (await pay(buyer, { package_type: "advanced" })).body;
    await operator.call("POST", `/api/payment-requests/${first.id}/reject`, { reason: "The picture is cut off." });
    const { status, body } = await operator.call("GET", `/api/payment-requests/${first.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: first.id, email: buyer.email, status: "rejected", screenshot_verdict: "same_file" });
    expect(body.history.map(({ id }: { id: string }) => id)).toEqual([second.id]);
    expect(body.audit).toMatchObject([
      { action: "payment-request.reject", actor_email: operator.email, details: { reason: "The picture is cut off." } },
      { action: "payment-request.submit", actor_email: buyer.email },
    ]);
    expect((await operator.call("GET", `/api/payment-requests/${randomUUID()}`)).body.code).toBe("payment_request_not_found");
  });

  it("stands in order of weight, and is the same in the list", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer, { crypto_type: "thai_bank", extra: { reference: "KBANK1234" } })).body;
    const coins = (await pay(buyer, { package_type: "advanced" })).body;
    const evidence = (await read(id)).evidence;
    expect(evidence.map((one: any) => [one.kind, one.verdict])).toEqual([
      ["reference", "unique"],
      ["destination", "current"],
      ["screenshot", "same_file"],
    ]);
    expect(verdictsOf(await read(coins.id))).toMatchObject({ chain: "off", reference: "none" });
    const { items } = (await operator.call("GET", `/api/payment-requests?search=${buyer.email}`)).body;
    expect(items.find((item: any) => item.id === id).evidence).toEqual(evidence);
  });

  it("leaves out what does not apply where nothing was to be paid", async () => {
    const buyer = await student(app);
    await operator.call("POST", "/api/coupons", { code: "FREE", discount_starter: "100", discount_advanced: "100" });
    const { id } = (await pay(buyer, { coupon_code: "FREE", extra: { crypto_type: null, upload_id: null } })).body;
    expect(await read(id)).toMatchObject({ evidence: [], screenshot_matches: [], screenshot_verdict: null });
  });

  it("says when approving would lower the package, while the request is pending", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer)).body;
    expect(verdictsOf(await read(id))).not.toHaveProperty("downgrade");
    await operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole: "advanced" });
    expect(verdictsOf(await read(id))).toHaveProperty("downgrade", "downgrade");
    await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "No." });
    expect(verdictsOf(await read(id))).not.toHaveProperty("downgrade");
  });

  it("has the claim of a late payer", async () => {
    const buyer = await student(app);
    const earlier = (await buyer.call("POST", "/api/quotes", { package_type: "starter", coupon_code: "LUNCH" })).body;
    const { id } = (await pay(buyer, { extra: { paid_quote_id: earlier.id } })).body;
    const late = (await read(id)).evidence.find(({ kind }: { kind: string }) => kind === "late");
    expect(late).toMatchObject({ details: { amount_usd: "248.5", quoted_at: earlier.created_at } });
    expect(late.text).toContain("0.00552222 BTC");
  });

  it("is never sent to the student", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer);
    const mine = (await buyer.call("GET", "/api/payment-requests/mine")).body.items;
    for (const request of [body, ...mine]) expect(request).not.toHaveProperty("evidence");
    expect((await buyer.call("GET", `/api/payment-requests/${body.id}`)).status).toBe(403);
  });
});

/** EVIDENCE-3. */
it("a destination that was replaced is no longer current", async () => {
  const { id } = (await pay(await student(app))).body;
  expect(verdictsOf(await read(id))).toHaveProperty("destination", "current");
  await setUpWallets(operator, { bitcoin_address: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2" });
  expect(verdictsOf(await read(id))).toHaveProperty("destination", "not_current");
  await setUpWallets(operator);
});

/** EVIDENCE-3, QUOTE-6. */
it("a replaced destination that a late payer paid to is not current", async () => {
  const buyer = await student(app);
  const earlier = (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body;
  await setUpWallets(operator, { bitcoin_address: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2" });
  const { id } = (await pay(buyer, { extra: { paid_quote_id: earlier.id } })).body;
  const request = await read(id);
  await setUpWallets(operator);
  expect(request.wallet_address).toBe("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2");
  expect(request.evidence).toContainEqual(
    expect.objectContaining({
      kind: "destination",
      verdict: "not_current",
      text: "The address is no longer in the wallet settings.",
      details: { wallet_address: walletForm.bitcoin_address },
    }),
  );
});
