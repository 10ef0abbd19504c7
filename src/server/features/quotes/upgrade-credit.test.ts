// Over 250 lines: every way in which a credit comes and goes, over one shop.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { decisions } from "../../../../tests/support/payment-requests/decisions.ts";
import { partialPayments } from "../../../../tests/support/payment-requests/partial-payments.ts";
import { pay, setUpWallets, type PaymentChoice } from "../../../../tests/support/payments.ts";
import { admin, student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

/** Pays for a package and approves the payment. */
async function buy(operator: Person, buyer: Person, choice: PaymentChoice, approval = {}): Promise<Answer> {
  const { id } = (await pay(buyer, choice)).body;
  return operator.call("POST", `/api/payment-requests/${id}/approve`, { confirm_downgrade: true, ...approval });
}

const quote = async (buyer: Person, more = {}): Promise<any> =>
  (await buyer.call("POST", "/api/quotes", { package_type: "advanced", ...more })).body;

describe("without UPGRADE_CREDIT", () => {
  let app: TestApp;
  beforeAll(async () => (app = await startApp()));
  afterAll(() => app?.close());

  it("charges a Starter student 997 USD for Advanced without UPGRADE_CREDIT", async () => {
    const operator = await admin(app);
    await setUpWallets(operator);
    const buyer = await student(app);
    await buy(operator, buyer, {});
    expect(await quote(buyer)).toMatchObject({ original_usd: "997", upgrade_credit_usd: "0", amount_usd: "997" });
    const offer = await buyer.call("GET", "/api/upgrade-offer");
    expect(offer.body).toEqual({ original_usd: "997", upgrade_credit_usd: "0", amount_usd: "997" });
  });
});

describe("with UPGRADE_CREDIT=on", () => {
  let app: TestApp;
  let operator: Person;
  beforeAll(async () => ({ app, operator } = await startShop({ environment: { UPGRADE_CREDIT: "on" } })));
  afterAll(() => app?.close());

  it("takes what was paid for Starter off Advanced", async () => {
    const buyer = await student(app);
    await buy(operator, buyer, { coupon_code: "LUNCH" });
    const offer = await buyer.call("GET", "/api/upgrade-offer");
    expect(offer.body).toEqual({ original_usd: "997", upgrade_credit_usd: "248.5", amount_usd: "748.5" });
    const { body } = await pay(buyer, { package_type: "advanced", crypto_type: "thai_bank" });
    expect(body).toMatchObject({
      original_usd: "997",
      discount_usd: "0",
      upgrade_credit_usd: "248.5",
      amount_usd: "748.5",
      amount_crypto: "26197.50",
    });
  });

  // REOPEN-5, JOURNEY-3
  it("ends open quotes with a credit when the Starter payment is undone", async () => {
    const buyer = await student(app);
    const uncredited = await quote(buyer, { package_type: "starter" });
    const starter = (await buy(operator, buyer, {})).body.id;
    const [ended, credited] = [await quote(buyer), await quote(buyer)];
    expect(credited.upgrade_credit_usd).toBe("497");
    await app.sql(
      "update quotes set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour' where id = $1",
      [ended.id],
    );
    const other = await student(app);
    await buy(operator, other, {});
    const untouched = await quote(other);
    const endsOf = async () =>
      new Map(
        (await app.sql<{ id: string; expires_at: Date }>("select id, expires_at from quotes")).map((row) => [
          row.id,
          row.expires_at,
        ]),
      );
    const before = await endsOf();
    await operator.call("POST", `/api/payment-requests/${starter}/reopen`, { reason: "It was never paid." });
    expect((await quote(buyer)).upgrade_credit_usd).toBe("0");
    const after = await endsOf();
    for (const { id } of [uncredited, ended, untouched]) expect(after.get(id)).toEqual(before.get(id));
    expect(after.get(credited.id)).toEqual(app.clock.now());
    const isVoid = async ({ id }: { id: string }) => (await buyer.call("GET", `/api/quotes/${id}`)).body.is_void;
    expect([await isVoid(uncredited), await isVoid(ended), await isVoid(credited)]).toEqual([false, false, true]);
  });

  // REOPEN-5, PACKAGE-4
  it("makes no quote with the credit of a payment that is undone meanwhile", async () => {
    const buyer = await student(app);
    const starter = (await buy(operator, buyer, {})).body.id;
    const undoing = `with payer as (select id from profiles where id = $1 for update)
      update payment_requests set status = 'pending', decided_at = null, decided_by = null, receipt_number = null
      where id = $2 and user_id = (select id from payer)`;
    const refused = await behindTransaction(app, { text: undoing, values: [buyer.id, starter] }, () => quote(buyer));
    expect(refused.code).toBe("unavailable");
    expect((await quote(buyer)).upgrade_credit_usd).toBe("0");
  });

  it("makes no quote with a credit for an account that is deleted meanwhile", async () => {
    const buyer = await student(app);
    await buy(operator, buyer, {});
    const deletion = { text: "delete from accounts where id = $1", values: [buyer.id] };
    expect((await behindTransaction(app, deletion, () => quote(buyer))).code).toBe("not_signed_in");
  });

  it("takes the upgrade credit off after the coupon, never below 0", async () => {
    const buyer = await student(app);
    await buy(operator, buyer, {});
    expect(await quote(buyer, { coupon_code: "LUNCH" })).toMatchObject({
      discount_usd: "697.9",
      upgrade_credit_usd: "299.1",
      amount_usd: "0",
    });
  });

  it("credits only an approved payment of the present Starter tier", async () => {
    const waiting = await student(app);
    await pay(waiting);
    expect((await quote(waiting)).amount_usd).toBe("997");
    expect((await quote(await student(app, "starter"))).amount_usd).toBe("997");
    const buyer = await student(app);
    await buy(operator, buyer, {});
    await operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole: "unpaid" });
    expect((await quote(buyer, { package_type: "starter" })).amount_usd).toBe("497");
    expect((await quote(buyer)).amount_usd).toBe("997");
  });

  it("credits the approved payment, not one that was rejected later", async () => {
    const buyer = await student(app);
    await buy(operator, buyer, {});
    const setTier = (newRole: string) => operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole });
    await setTier("unpaid");
    app.clock.advance(1);
    const { id } = (await pay(buyer, { coupon_code: "LUNCH" })).body;
    await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "No." });
    await setTier("starter");
    expect((await quote(buyer)).upgrade_credit_usd).toBe("497");
  });

  it("credits the approved payment that was decided last", async () => {
    const buyer = await student(app);
    await buy(operator, buyer, { coupon_code: "LUNCH" });
    await operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole: "unpaid" });
    app.clock.advance(1);
    await buy(operator, buyer, {});
    expect((await quote(buyer)).upgrade_credit_usd).toBe("497");
  });

  it("limits the upgrade credit to the lesser of claim and price of a late payer", async () => {
    const [late, boaster] = [await student(app), await student(app)];
    const claim = async (buyer: Person, coupon_code?: string) =>
      (await quote(buyer, { package_type: "starter", coupon_code })).id;
    await buy(operator, late, { extra: { paid_quote_id: await claim(late, "LUNCH") } });
    expect((await quote(late)).upgrade_credit_usd).toBe("248.5");
    await buy(operator, boaster, { coupon_code: "LUNCH", extra: { paid_quote_id: await claim(boaster) } });
    expect((await quote(boaster)).upgrade_credit_usd).toBe("248.5");
  });

  // PACKAGE-4, PART-1
  it.each([
    ["8000", "228.57"],
    ["8750.00", "250"],
    ["0", "0"],
    ["17395.00", "497"],
    ["20000", "497"],
  ])("credits for %s of 17,395 THB that arrived for Starter %s USD", async (amount_received, credit) => {
    const buyer = await student(app);
    await buy(operator, buyer, { crypto_type: "thai_bank" }, { amount_received });
    expect((await quote(buyer)).upgrade_credit_usd).toBe(credit);
  });

  it.each([
    ["the amount", "0.01104444", "497"],
    ["half the amount", "0.00552222", "248.5"],
  ])("credits a late payer's Starter by %s of the earlier quote", async (_share, amount_received, credit) => {
    const buyer = await student(app);
    const paid_quote_id = (await quote(buyer, { package_type: "starter" })).id;
    await setUpWallets(operator, { bitcoin_price_usd: "30000" });
    await buy(operator, buyer, { extra: { paid_quote_id } }, { amount_received });
    expect((await quote(buyer)).upgrade_credit_usd).toBe(credit);
    await setUpWallets(operator);
  });

  it("credits a payment that arrived in full to the last digit", async () => {
    await operator.call("POST", "/api/coupons", { code: "THIRD", discount_starter: "33.33", discount_advanced: "10" });
    const buyer = await student(app);
    const choice = { coupon_code: "THIRD", crypto_type: "thai_bank" } as const;
    await buy(operator, buyer, choice, { amount_received: "11597.25" });
    expect((await quote(buyer)).upgrade_credit_usd).toBe("331.3499");
  });

  it("credits a short late payment no more than the present price", async () => {
    const buyer = await student(app);
    const paid_quote_id = (await quote(buyer, { package_type: "starter" })).id;
    const choice = { coupon_code: "LUNCH", crypto_type: "thai_bank", extra: { paid_quote_id } } as const;
    await buy(operator, buyer, choice, { amount_received: "17000" });
    expect((await quote(buyer)).upgrade_credit_usd).toBe("248.5");
  });

  // PART-3
  it.each([
    ["came", {}, true],
    ["had no account, but came", { thai_bank_account_number: "" }, true],
    ["never came", {}, false],
    ["had no account, never came", { thai_bank_account_number: "" }, false],
  ])("credits a late payer by the present price if a rest %s", async (_which, asking, isSent) => {
    const { ask, sendRest } = partialPayments(app, operator);
    const buyer = await student(app);
    const paid_quote_id = (await quote(buyer, { package_type: "starter", coupon_code: "LUNCH" })).id;
    const { id } = (await pay(buyer, { crypto_type: "thai_bank", extra: { paid_quote_id } })).body;
    await setUpWallets(operator, asking);
    await ask(id, "8697.50");
    if (isSent) await sendRest(buyer, id);
    await setUpWallets(operator);
    await operator.call("POST", `/api/payment-requests/${id}/approve`, { amount_received: "17395.00" });
    expect((await quote(buyer)).upgrade_credit_usd).toBe("497");
  });

  it("credits an upgrade once, also for a student put back to Starter", async () => {
    const buyer = await student(app);
    await buy(operator, buyer, {});
    app.clock.advance(1);
    expect((await buy(operator, buyer, { package_type: "advanced" })).body.amount_usd).toBe("500");
    app.clock.advance(1);
    await operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole: "starter" });
    expect((await quote(buyer)).amount_usd).toBe("997");
  });

  // PACKAGE-4, REOPEN-1
  it("credits an upgrade once, also when Starter is approved again after it", async () => {
    const { approve, reopen, reject } = decisions(app, operator);
    const buyer = await student(app);
    const starter = (await buy(operator, buyer, {})).body.id;
    const advanced = (await buy(operator, buyer, { package_type: "advanced" })).body.id;
    app.clock.advance(1);
    await reopen(starter);
    await approve(starter, { confirm_downgrade: true });
    expect((await quote(buyer)).upgrade_credit_usd).toBe("0");
    await reopen(advanced);
    await reject(advanced);
    expect((await quote(buyer)).upgrade_credit_usd).toBe("497");
  });

  it("keeps the credit of a student who paid the full price for Advanced before", async () => {
    const buyer = await student(app);
    await buy(operator, buyer, { package_type: "advanced" });
    await decisions(app, operator).setTier(buyer, "unpaid");
    await buy(operator, buyer, {});
    expect((await quote(buyer)).upgrade_credit_usd).toBe("497");
  });
});
