import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminEmail, type TestApp } from "../../../../tests/support/app.ts";
import { mailsTo } from "../../../../tests/support/mails/received.ts";
import { pay, uploadScreenshot } from "../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  ({ app, operator } = await startShop({ environment: { UPGRADE_CREDIT: "on" } }));
  await operator.call("POST", "/api/coupons", { code: "GIFT", discount_starter: "100", discount_advanced: "100" });
});
afterAll(() => app?.close());

const quoteFor = async (buyer: Person, coupon_code?: string): Promise<string> =>
  (await buyer.call("POST", "/api/quotes", { package_type: "advanced", coupon_code })).body.id;

const submit = (buyer: Person, body: Record<string, unknown>, key = randomUUID()): Promise<Answer> =>
  buyer.call("POST", "/api/payment-requests", { consent: true, ...body }, { "idempotency-key": key });

const free = async (buyer: Person): Promise<any> => (await submit(buyer, { quote_id: await quoteFor(buyer, "GIFT") })).body;

const noPayment = {
  amount_usd: "0",
  crypto_type: null,
  amount_crypto: null,
  wallet_address: null,
  screenshot_url: null,
  reference: null,
};

/** PAY-11. */
describe("a request with nothing to pay", () => {
  it("stores a free request without method and screenshot, for the admin to approve", async () => {
    const buyer = await student(app);
    const request = await free(buyer);
    expect(request).toMatchObject({ ...noPayment, status: "pending", original_usd: "997", coupon_code: "GIFT" });
    const { items } = (await operator.call("GET", `/api/payment-requests?search=${buyer.email}`)).body;
    expect(items).toMatchObject([
      { ...noPayment, usd_at_current_price: null, screenshot_matches: [], screenshot_verdict: null, destination_current: true },
    ]);
    const approved = await operator.call("POST", `/api/payment-requests/${request.id}/approve`);
    expect(approved.body.receipt_number).toMatch(/^\d{4}-\d{5}$/);
    expect((await buyer.call("GET", "/api/me")).body.subscription_status).toBe("advanced");
    expect((await buyer.call("GET", `/api/payment-requests/${request.id}/receipt`)).body).toMatchObject(noPayment);
    expect((await buyer.call("GET", `/api/payment-requests/${request.id}/screenshot`)).body.code).toBe("screenshot_none");
  });

  it("stores a free request when the upgrade credit covers the price", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer)).body;
    await operator.call("POST", `/api/payment-requests/${id}/approve`);
    const answer = await submit(buyer, { quote_id: await quoteFor(buyer, "LUNCH") });
    expect(answer).toMatchObject({ status: 201, body: { ...noPayment, upgrade_credit_usd: "299.1" } });
  });

  it("stores neither a method alone nor a screenshot alone", async () => {
    for (const part of ["method", "screenshot"]) {
      const buyer = await student(app);
      const extra = part === "method" ? { crypto_type: "ethereum" } : { upload_id: await uploadScreenshot(buyer) };
      const key = randomUUID();
      const body = { quote_id: await quoteFor(buyer, "GIFT"), ...extra };
      const made = await submit(buyer, body, key);
      expect(made).toMatchObject({ status: 201, body: noPayment });
      expect((await submit(buyer, body, key)).body.id).toBe(made.body.id);
    }
  });

  it("stores method and screenshot that are both sent", async () => {
    const answer = await pay(await student(app), { package_type: "advanced", coupon_code: "GIFT" });
    expect(answer.body).toMatchObject({ amount_usd: "0", crypto_type: "bitcoin", amount_crypto: "0.00000000" });
  });

  it("refuses a reference or an earlier quote without method and screenshot", async () => {
    const buyer = await student(app);
    const earlier = await quoteFor(buyer);
    const quote_id = await quoteFor(buyer, "GIFT");
    for (const claim of [{ reference: "a".repeat(64) }, { paid_quote_id: earlier }]) {
      expect((await submit(buyer, { quote_id, ...claim })).body.code).toBe("screenshot_missing");
      expect((await submit(buyer, { quote_id, crypto_type: "bitcoin", ...claim })).body.code).toBe("screenshot_missing");
    }
    expect((await buyer.call("GET", "/api/payment-requests/mine")).body.items).toEqual([]);
  });

  it("refuses every other quote without method or screenshot", async () => {
    const buyer = await student(app);
    const quote_id = await quoteFor(buyer, "LUNCH");
    for (const part of [{}, { crypto_type: "bitcoin" }, { crypto_type: null, upload_id: null }]) {
      const answer = await submit(buyer, { quote_id, ...part });
      expect(answer).toMatchObject({ status: 400, body: { code: "screenshot_missing" } });
    }
    const withoutMethod = await submit(buyer, { quote_id, upload_id: await uploadScreenshot(buyer) });
    expect(withoutMethod).toMatchObject({ status: 400, body: { code: "method_missing" } });
    expect((await buyer.call("GET", "/api/payment-requests/mine")).body.items).toEqual([]);
  });

  it("mails about a free request without mentioning a screenshot", async () => {
    const buyer = await student(app);
    const { id } = await free(buyer);
    const toAdmin = (await mailsTo(app, adminEmail)).find(({ text }) => text.includes(id));
    expect(toAdmin?.text).toContain("Nothing to pay.");
    expect(toAdmin?.text).toContain("It has no screenshot.");
    await operator.call("POST", `/api/payment-requests/${id}/approve`);
    const [approved, received] = await mailsTo(app, buyer.email);
    expect(received?.text).toContain("is waiting for approval: Nothing to pay.");
    for (const mail of [approved, received]) expect(mail?.text).not.toMatch(/screenshot|null|BTC/);
  });

  it("submits a rejected free request again, and takes no screenshot for it", async () => {
    const buyer = await student(app);
    const { id } = await free(buyer);
    const refused = { reason: "Not yours.", amount_received: "0" };
    expect((await operator.call("POST", `/api/payment-requests/${id}/reject`, refused)).body.code).toBe(
      "amount_received_invalid",
    );
    await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "Not yours." });
    const again = (body: unknown) =>
      buyer.call("POST", `/api/payment-requests/${id}/resubmit`, body, { "idempotency-key": randomUUID() });
    const upload_id = await uploadScreenshot(buyer);
    for (const more of [{ upload_id }, { reference: "a".repeat(64) }])
      expect((await again(more)).body.code).toBe("nothing_to_pay");
    expect(await again({})).toMatchObject({ status: 201, body: { ...noPayment, resubmits: id, discount_percent: "100" } });
  });

  it("stores a free request once when it is submitted twice at once", async () => {
    const buyer = await student(app);
    const quotes = [await quoteFor(buyer, "GIFT"), await quoteFor(buyer, "GIFT")];
    const answers = await Promise.all(quotes.map((quote_id) => submit(buyer, { quote_id })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });
});
