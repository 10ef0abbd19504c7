import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { pay, setUpWallets, uploadScreenshot, walletForm } from "../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const quoteFor = async (buyer: Person, package_type = "advanced"): Promise<string> =>
  (await buyer.call("POST", "/api/quotes", { package_type, coupon_code: "LUNCH" })).body.id;

describe("who paid by a quote that ended", () => {
  it("stores the new figures and those of the earlier quote of a late payer", async () => {
    const buyer = await student(app);
    const paid_quote_id = await quoteFor(buyer);
    await setUpWallets(operator, { bitcoin_price_usd: "60000", bitcoin_address: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2" });
    const request = await pay(buyer, { package_type: "advanced", coupon_code: "LUNCH", extra: { paid_quote_id } });
    expect(request.status).toBe(201);
    const claim = { amount_usd: "299.1", amount_crypto: "0.00664667", wallet_address: walletForm.bitcoin_address };
    expect(request.body).toMatchObject({
      amount_crypto: "0.00498500",
      wallet_address: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
      paid_by_earlier_quote: { ...claim, quoted_at: expect.stringMatching(/Z$/) },
    });
    const { body } = await operator.call("GET", `/api/payment-requests?search=${buyer.email}`);
    expect(body.items[0]).toMatchObject({ paid_by_earlier_quote: claim, usd_at_current_price: "398.80" });
    await setUpWallets(operator);
  });

  // EVIDENCE-1, PART-3
  it.each([
    ["less", "LUNCH", undefined, { status: 200, body: { amount_owed: "8697.50" } }],
    ["more", undefined, "LUNCH", { status: 400, body: { code: "rest_amount_invalid" } }],
  ])("owes the present amount, although the earlier quote said %s", async (_what, before, coupon_code, answer) => {
    const buyer = await student(app);
    const earlier = await buyer.call("POST", "/api/quotes", { package_type: "starter", coupon_code: before });
    const extra = { paid_quote_id: earlier.body.id };
    const { id } = (await pay(buyer, { coupon_code, crypto_type: "thai_bank", extra })).body;
    const received = { amount_received: "8697.50" };
    expect(await operator.call("POST", `/api/payment-requests/${id}/ask-rest`, received)).toMatchObject(answer);
  });

  const asked = async (buyer: Person, more = {}) =>
    (await buyer.call("POST", "/api/quotes", { package_type: "advanced", ...more })).body;

  it("offers open quotes of another tab or device whose figures differ", async () => {
    const buyer = await student(app);
    const first = await asked(buyer, { coupon_code: "LUNCH" });
    const other = await asked(buyer);
    expect(other.earlier).toMatchObject([{ id: first.id, amount_usd: "299.1" }]);
    expect((await pay(buyer, { package_type: "advanced", extra: { paid_quote_id: first.id } })).body).toMatchObject({
      amount_usd: "997",
      paid_by_earlier_quote: { amount_usd: "299.1" },
    });
  });

  it("does not offer the open quote that a page replaces, until it ends", async () => {
    const buyer = await student(app);
    const replaces = (await asked(buyer)).id;
    expect((await asked(buyer, { coupon_code: "LUNCH", replaces })).earlier).toEqual([]);
    await app.sql("update quotes set expires_at = created_at + interval '1 second' where id = $1", [replaces]);
    expect((await asked(buyer, { coupon_code: "LUNCH", replaces })).earlier).toMatchObject([{ id: replaces }]);
  });

  it("offers a replaced quote of a clock that was ahead, which is accepted no more", async () => {
    const buyer = await student(app);
    app.clock.set(400);
    const replaces = (await asked(buyer)).id;
    app.clock.set(-400);
    expect((await asked(buyer, { coupon_code: "LUNCH", replaces })).earlier).toMatchObject([{ id: replaces }]);
  });

  it("offers open quotes that a page replaced one by one to other pages alone", async () => {
    const buyer = await student(app);
    const first = await asked(buyer);
    let page = first;
    for (const coupon_code of ["LUNCH", undefined, "LUNCH", undefined, "LUNCH"]) {
      app.clock.advance(1);
      page = await asked(buyer, { coupon_code, replaces: page.id });
      expect(page.earlier).toEqual([]);
    }
    await app.sql("update quotes set expires_at = created_at + interval '1 second' where id = $1", [first.id]);
    app.clock.advance(1);
    page = await asked(buyer, { coupon_code: "LUNCH", replaces: page.id });
    expect(page.earlier).toMatchObject([{ id: first.id, amount_usd: "997" }]);
    expect((await asked(buyer)).earlier).toMatchObject([{ id: page.id, amount_usd: "299.1" }]);
  });

  // GUARD-4
  it("offers the quote that a page replaces once the admin has ended it", async () => {
    const buyer = await student(app);
    const replaces = (await asked(buyer)).id;
    await operator.call("POST", "/api/wallet-settings/void-quotes");
    expect((await asked(buyer, { coupon_code: "LUNCH", replaces })).earlier).toMatchObject([{ id: replaces }]);
  });

  it("offers ended quotes whose figures differ from the new quote", async () => {
    const buyer = await student(app);
    const ask = (more: object) => asked(buyer, more);
    const first = await ask({ coupon_code: "LUNCH" });
    expect(first.earlier).toEqual([]);
    expect((await ask({ coupon_code: "LUNCH" })).earlier).toEqual([]);
    await ask({ package_type: "starter" });
    await setUpWallets(operator, { ethereum_price_usd: "2500" });
    const now = await ask({ coupon_code: "LUNCH" });
    await app.sql(
      "update quotes set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour' where user_id = $1 and id <> $2",
      [buyer.id, now.id],
    );
    const { earlier } = await ask({ coupon_code: "LUNCH" });
    expect(earlier).toHaveLength(1);
    expect(earlier[0]).toMatchObject({ amount_usd: "299.1", created_at: expect.stringMatching(/Z$/) });
    expect(earlier[0].methods.map((method: { amount_crypto: string }) => method.amount_crypto)).toEqual([
      "0.00664667",
      "0.09970000",
      "10468.50",
    ]);
    const request = await pay(buyer, { package_type: "advanced", extra: { paid_quote_id: earlier[0].id } });
    expect(request.body.paid_by_earlier_quote.amount_crypto).toBe("0.00664667");
    await setUpWallets(operator);
  });

  // QUOTE-6, GUARD-4
  it("accepts a payment by a method that was removed, at the present amount", async () => {
    const buyer = await student(app);
    const paid_quote_id = await quoteFor(buyer);
    await setUpWallets(operator, { thai_bank_name: "", thai_bank_account_number: "", thai_bank_account_name: "" });
    await operator.call("POST", "/api/wallet-settings/void-quotes");
    const choice = { package_type: "advanced", crypto_type: "thai_bank" } as const;
    const quote = (await buyer.call("POST", "/api/quotes", { package_type: "advanced" })).body;
    expect(quote.earlier[0]).toMatchObject({ id: paid_quote_id, methods: [{}, {}, { crypto_type: "thai_bank" }] });
    expect((await pay(buyer, choice)).body.code).toBe("method_unavailable");

    const request = await pay(buyer, { ...choice, extra: { paid_quote_id } });

    await setUpWallets(operator);
    const wallet_address = "Kasikornbank 012-3-45678-9";
    expect([request.status, request.body]).toMatchObject([
      201,
      {
        crypto_type: "thai_bank",
        amount_crypto: "34895.00",
        wallet_address,
        paid_by_earlier_quote: { amount_crypto: "10468.50", wallet_address },
      },
    ]);
  });

  const rejectedRequest = async (buyer: Person): Promise<void> => {
    const { id } = (await pay(buyer, { package_type: "advanced" })).body;
    await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "Not found." });
  };

  it.each([
    ["an ended quote", quoteFor],
    ["the quote of a rejected request", rejectedRequest],
  ])("offers %s for a week", async (_what, make) => {
    const buyer = await student(app);
    await make(buyer);
    await app.sql(
      "update quotes set created_at = now() - interval '7 days', expires_at = now() - interval '6 days 23 hours' where user_id = $1",
      [buyer.id],
    );
    await setUpWallets(operator, { bitcoin_price_usd: "50000" });
    const again = await buyer.call("POST", "/api/quotes", { package_type: "advanced" });
    expect(again.body.earlier).toHaveLength(1);
    await app.sql(
      "update quotes set created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day' where user_id = $1",
      [buyer.id],
    );
    const later = await buyer.call("POST", "/api/quotes", { package_type: "advanced" });
    expect(later.body.earlier).toEqual([]);
    await setUpWallets(operator);
  });

  it.each([
    ["offers", 49, 1],
    ["does not offer", 50, 0],
  ])("%s other figures behind %d quotes that ended since", async (_what, count, times) => {
    const buyer = await student(app);
    await quoteFor(buyer);
    await setUpWallets(operator, { bitcoin_price_usd: "50000" });
    app.clock.advance(1);
    await quoteFor(buyer);
    await app.sql(
      `with ended as (
         update quotes set created_at = now() - interval '2 hours' + number * interval '1 second', expires_at = now() - interval '1 hour' + number * interval '1 second'
         from (select id, row_number() over (order by created_at) as number from quotes where user_id = $1) as ordered
         where quotes.id = ordered.id returning quotes.*, number
       )
       insert into quotes (user_id, package_type, discount_percent, original_usd, amount_usd, methods, is_sample, created_at, expires_at)
       select user_id, package_type, discount_percent, original_usd, amount_usd, methods, is_sample, created_at, expires_at
       from ended, generate_series(2, $2) where number = 2`,
      [buyer.id, count],
    );
    const { body } = await buyer.call("POST", "/api/quotes", { package_type: "advanced", coupon_code: "LUNCH" });
    expect(body.earlier).toHaveLength(times);
    await setUpWallets(operator);
  });

  it("refuses an idempotency key that comes again with another earlier quote", async () => {
    const buyer = await student(app);
    const paid_quote_id = await quoteFor(buyer, "starter");
    app.clock.advance(1);
    const other = await quoteFor(buyer, "starter");
    app.clock.advance(1);
    const { body: quote } = await buyer.call("POST", "/api/quotes", { package_type: "starter" });
    const upload_id = await uploadScreenshot(buyer);
    const submit = (paid?: string) =>
      buyer.call(
        "POST",
        "/api/payment-requests",
        { quote_id: quote.id, crypto_type: "bitcoin", upload_id, consent: true, paid_quote_id: paid },
        { "idempotency-key": "late" },
      );
    const first = await submit(paid_quote_id);
    expect(first.status).toBe(201);
    expect((await submit(other)).body.code).toBe("idempotency_key_reused");
    expect((await submit()).body.code).toBe("idempotency_key_reused");
    await app.sql("delete from quotes where id = $1", [paid_quote_id]);
    expect((await submit(paid_quote_id)).body).toEqual(first.body);
  });

  it("stores no earlier quote for a payer in time", async () => {
    const buyer = await student(app);
    expect((await pay(buyer, { extra: { paid_quote_id: null } })).body.paid_by_earlier_quote).toBeNull();
  });

  it("refuses earlier quotes of other students or packages and unknown ones", async () => {
    const buyer = await student(app);
    const other = await student(app);
    const wrong = [await quoteFor(other), await quoteFor(buyer, "starter"), "00000000-0000-4000-8000-000000000000"];
    for (const paid_quote_id of wrong) {
      const answer = await pay(buyer, { package_type: "advanced", extra: { paid_quote_id } });
      expect(answer.status).toBe(404);
      expect(answer.body.code).toBe("quote_not_found");
    }
    expect((await pay(buyer, { extra: { paid_quote_id: "x" } })).status).toBe(400);
    expect((await buyer.call("GET", "/api/payment-requests/mine")).body.items).toEqual([]);
  });
});
