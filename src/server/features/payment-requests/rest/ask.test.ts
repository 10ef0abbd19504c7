import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import { pay, setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
let shop: ReturnType<typeof partialPayments>;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  shop = partialPayments(app, operator);
});
afterAll(() => app?.close());

/** PART-3. */
describe("asking for the rest", () => {
  it("keeps the request pending and mails what arrived and what is owed", async () => {
    const { buyer, id } = await shop.asked();
    const request = await shop.mine(buyer);
    expect(request).toMatchObject({ id, status: "pending", amount_received: "10000.00", amount_owed: "468.50", parts: [] });
    expect(request.rest).toMatchObject({
      destination_changed: false,
      method: { crypto_type: "thai_bank", available: true, amount_crypto: "468.50", wallet_address: request.wallet_address },
    });
    expect(request.rest.method.bank).toMatchObject({ account_number: walletForm.thai_bank_account_number });
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.subject).toBe("Part of your payment for Advanced has arrived");
    expect(mail?.text).toContain("10,000.00 THB of 10,468.50 THB has arrived, so 468.50 THB is still to be paid.");
    expect(mail?.text).toContain("/payment?package=advanced");
    const [entry] = await app.sql("select * from audit_log where subject_id = $1 and action like '%ask-rest'", [id]);
    const before = { amount_received: null, note: null };
    const details = { amount_owed: "468.50", before, after: { amount_received: "10000.00" } };
    expect(entry).toMatchObject({ subject_type: "payment-request", details });
  });

  it.each(["0", "0.00", "10468.50", "10468.5", "10469", "1.001", "-1", "1e2", "1,000", "much", ""])(
    "refuses to ask for the rest after %j",
    async (amount) => {
      const id = await shop.payBaht(await student(app));
      expect(await shop.ask(id, amount)).toMatchObject({ status: 400, body: { code: "rest_amount_invalid" } });
      expect(await shop.rowOf(id)).toMatchObject({ amount_received: null, rest_asked_at: null });
    },
  );

  it("asks again once a further part was sent, and not before", async () => {
    const { buyer, id } = await shop.asked();
    expect((await shop.ask(id, "10100")).body.code).toBe("rest_asked");
    await shop.sendRest(buyer, id);
    app.clock.advance(1);
    expect((await shop.ask(id, "10400.5")).body).toMatchObject({ amount_received: "10400.50", amount_owed: "68.00" });
    await shop.sendRest(buyer, id);
    // The first part's row comes last now.
    await app.sql(
      "update payment_request_parts set reference = 'LATER' where payment_request_id = $1 and amount_asked = 468.5",
      [id],
    );
    expect((await shop.mine(buyer)).parts.map(({ amount_asked }: any) => amount_asked)).toEqual(["468.50", "68.00"]);
  });

  it("asks once when two admins' pages ask at the same time", async () => {
    const id = await shop.payBaht(await student(app));
    const answers = await Promise.all([shop.ask(id), shop.ask(id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const mails = await app.sql("select 1 from audit_log where subject_id = $1 and action like '%ask-rest'", [id]);
    expect(mails).toHaveLength(1);
  });

  it("refuses to ask for the rest of decided and free requests and deleted accounts", async () => {
    const buyer = await student(app);
    const id = await shop.payBaht(buyer);
    await shop.approve(id);
    expect((await shop.ask(id)).body.code).toBe("payment_request_decided");
    expect((await shop.ask(randomUUID())).body.code).toBe("payment_request_not_found");
    const leaver = await student(app);
    const orphan = await shop.payBaht(leaver);
    await operator.call("DELETE", `/functions/v1/admin-users?userId=${leaver.id}`);
    expect((await shop.ask(orphan)).body.code).toBe("user_not_found");
    await operator.call("POST", "/api/coupons", { code: "FREE", discount_starter: "100", discount_advanced: "100" });
    const quote = await buyer.call("POST", "/api/quotes", { package_type: "starter", coupon_code: "FREE" });
    expect(quote.status).toBe(409);
    const guest = await student(app);
    const free = await guest.call("POST", "/api/quotes", { package_type: "starter", coupon_code: "FREE" });
    const headers = { "idempotency-key": randomUUID() };
    const request = await guest.call("POST", "/api/payment-requests", { quote_id: free.body.id, consent: true }, headers);
    expect((await shop.ask(request.body.id, "1")).body.code).toBe("rest_amount_invalid");
    expect((await shop.sendRest(guest, request.body.id)).body.code).toBe("rest_not_asked");
  });

  // DECIDE-7
  it("refuses to ask for the rest of a package that the student has by now", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer, { crypto_type: "thai_bank" });
    await operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole: "advanced" });
    const error = "This student has everything in this package by now, so no rest is owed.";
    expect(await shop.ask(body.id, "17000")).toMatchObject({ status: 409, body: { code: "package_owned", error } });
    expect(await shop.rowOf(body.id)).toMatchObject({ amount_received: null, rest_asked_at: null });
  });

  it("sends the rest to the present destination when the first one has changed", async () => {
    const { buyer, id } = await shop.asked();
    await setUpWallets(operator, { thai_bank_account_number: "999-9-99999-9" });
    const { rest } = await shop.mine(buyer);
    expect(rest).toMatchObject({ destination_changed: true, method: { available: true, amount_crypto: "468.50" } });
    expect(rest.method.wallet_address).toContain("999-9-99999-9");
    await shop.sendRest(buyer, id);
    expect((await shop.mine(buyer)).parts[0].wallet_address).toBe(rest.method.wallet_address);
    await setUpWallets(operator);
  });

  it("names no destination for the rest while the settings have none", async () => {
    const { buyer } = await shop.asked();
    await setUpWallets(operator, { thai_bank_account_number: "", thai_bank_account_name: "", thai_bank_name: "" });
    expect((await shop.mine(buyer)).rest).toMatchObject({ method: { available: false, wallet_address: "" } });
    await setUpWallets(operator);
  });
});
