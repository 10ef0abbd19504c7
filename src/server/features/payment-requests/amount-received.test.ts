import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { mailsTo } from "../../../../tests/support/mails.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const reject = (id: string, amount_received: unknown): Promise<Answer> =>
  operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "Too little arrived.", amount_received });

/** 10,468.50 THB. */
const payBaht = async (buyer: Person): Promise<string> =>
  (await pay(buyer, { package_type: "advanced", crypto_type: "thai_bank", coupon_code: "LUNCH" })).body.id;

/** DECIDE-7. */
describe("a rejection for the amount", () => {
  it("lists and mails the amount received and the amount owed", async () => {
    const buyer = await student(app);
    const id = await payBaht(buyer);
    const sums = { amount_crypto: "10468.50", amount_received: "10000.00", amount_owed: "468.50" };
    expect((await reject(id, " 10000 ")).body).toMatchObject({ status: "rejected", ...sums });
    expect((await buyer.call("GET", "/api/payment-requests/mine")).body.items).toMatchObject([sums]);
    const { items } = (await operator.call("GET", `/api/payment-requests?search=${buyer.email}`)).body;
    expect(items).toMatchObject([sums]);
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain("10,000.00 THB of 10,468.50 THB have arrived, so 468.50 THB are still to be paid.");
    expect(mail?.text).toContain("Send only what is missing");
    const [entry] = await app.sql("select details from audit_log where subject_id = $1 and action like '%reject'", [id]);
    expect(entry?.["details"]).toMatchObject({ amount_received: "10000.00" });
  });

  it("keeps the whole amount for the request that is submitted again", async () => {
    const buyer = await student(app);
    const id = await payBaht(buyer);
    await reject(id, "0");
    const headers = { "idempotency-key": randomUUID() };
    const { body } = await buyer.call("POST", `/api/payment-requests/${id}/resubmit`, {}, headers);
    expect(body).toMatchObject({ amount_crypto: "10468.50", amount_received: null, amount_owed: null });
  });

  it.each(["10468.50", "10469", "1.001", "-1", "1e2", "1,000", "much"])("refuses %s as an amount received", async (amount) => {
    const id = await payBaht(await student(app));
    expect(await reject(id, amount)).toMatchObject({ status: 400, body: { code: "amount_received_invalid" } });
    expect(await app.sql("select status, amount_received from payment_requests where id = $1", [id])).toEqual([
      { status: "pending", amount_received: null },
    ]);
  });

  it.each([undefined, null, "", "  "])("stores no amount received for %j", async (amount) => {
    const id = await payBaht(await student(app));
    expect((await reject(id, amount)).body).toMatchObject({ status: "rejected", amount_received: null, amount_owed: null });
  });
});
