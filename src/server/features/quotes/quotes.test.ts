import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { setUpWallets } from "../../../../tests/support/payments.ts";
import { admin, outcome, student, type Person } from "../../../../tests/support/people.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  app = await startApp();
  operator = await admin(app);
});
afterAll(() => app?.close());

const amounts = (body: { methods: { crypto_type: string; amount_crypto: string }[] }) =>
  Object.fromEntries(body.methods.map((method) => [method.crypto_type, method.amount_crypto]));

describe("a quote", () => {
  it("quotes methods that are not set up as unavailable, without an address", async () => {
    const buyer = await student(app);
    const { body, status } = await buyer.call("POST", "/api/quotes", { package_type: "starter" });
    expect(status).toBe(201);
    expect(body.methods.map((method: { available: boolean }) => method.available)).toEqual([false, false, false]);
    expect(body.methods.map((method: { wallet_address: string }) => method.wallet_address)).toEqual(["", "", ""]);
  });

  it("takes LUNCH off Advanced to the last digit, in all currencies", async () => {
    await setUpWallets(operator);
    const buyer = await student(app);
    const { body } = await buyer.call("POST", "/api/quotes", { package_type: "advanced", coupon_code: "LUNCH" });
    expect(body).toMatchObject({
      original_usd: "997",
      discount_usd: "697.9",
      amount_usd: "299.1",
      discount_percent: "70",
      coupon_code: "LUNCH",
    });
    expect(amounts(body)).toEqual({ bitcoin: "0.00664667", ethereum: "0.09970000", thai_bank: "10468.50" });
    expect(body.methods[2]).toMatchObject({
      wallet_address: "Kasikornbank 012-3-45678-9",
      bank: { name: "Kasikornbank", account_number: "012-3-45678-9", account_name: "Pipwright Co., Ltd." },
    });
  });

  it("makes quotes of 30 minutes", async () => {
    const buyer = await student(app);
    const { body } = await buyer.call("POST", "/api/quotes", { package_type: "starter" });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(30 * 60 * 1000);
  });

  // QUOTE-6
  it("deletes quotes of more than a week ago, of that student alone", async () => {
    const [buyer, other] = [await student(app), await student(app)];
    const ask = (who: Person) => who.call("POST", "/api/quotes", { package_type: "starter" });
    await Promise.all([ask(buyer), ask(other)]);
    const ids = [buyer.id, other.id];
    await app.sql("update quotes set created_at = created_at - interval '8 days', expires_at = expires_at - interval '8 days'");
    const { body } = await ask(buyer);
    const left = await app.sql("select id, user_id from quotes where user_id = any($1) order by created_at desc", [ids]);
    expect(left).toEqual([
      { id: body.id, user_id: buyer.id },
      { id: expect.any(String), user_id: other.id },
    ]);
  });

  // COUPON-1
  it("refuses a quote with a blank, unknown, misspelt or inactive coupon", async () => {
    const buyer = await student(app);
    await operator.call("POST", "/api/coupons", { code: "GONE", discount_starter: "5", discount_advanced: "5", active: false });
    const ask = (coupon_code: string) => buyer.call("POST", "/api/quotes", { package_type: "starter", coupon_code });
    expect((await ask("  ")).body).toEqual({ error: "Please enter a coupon code", code: "coupon_empty" });
    for (const wrong of ["NOPE", "lunch", " LUNCH", "LUNCH ", "GONE", "LUNCH' or 1=1 --", "L".repeat(101)]) {
      const answer = await ask(wrong);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe("Invalid or expired coupon code");
    }
  });

  it("refuses a quote of an unknown package, and any quote to the admin", async () => {
    const buyer = await student(app);
    expect((await buyer.call("POST", "/api/quotes", { package_type: "platinum" })).status).toBe(400);
    expect((await operator.call("POST", "/api/quotes", { package_type: "starter" })).status).toBe(403);
  });

  it("refuses a quote to an account that is deleted meanwhile", async () => {
    const leaver = await student(app);
    const deletion = { text: "delete from accounts where id = $1", values: [leaver.id] };
    const ask = () => leaver.call("POST", "/api/quotes", { package_type: "starter" });
    expect(outcome(await behindTransaction(app, deletion, ask))).toEqual([401, "not_signed_in"]);
  });
});
