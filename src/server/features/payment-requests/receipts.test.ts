import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { mailsTo } from "../../../../tests/support/mails/received.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { admin, outcome, student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const approve = (id: string): Promise<Answer> => operator.call("POST", `/api/payment-requests/${id}/approve`);
const reject = (id: string): Promise<Answer> => operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "No." });
const receiptOf = (viewer: Person, id: string): Promise<Answer> => viewer.call("GET", `/api/payment-requests/${id}/receipt`);
const placeOf = (number: string): number => Number(number.split("-")[1]);

describe("a receipt", () => {
  it("returns a receipt with payer, package and amounts after the approval", async () => {
    const buyer = await student(app);
    const request = (await pay(buyer, { package_type: "advanced", coupon_code: "LUNCH", extra: { reference: "a".repeat(64) } }))
      .body;
    expect((await receiptOf(buyer, request.id)).body.code).toBe("receipt_not_found");
    await approve(request.id);
    const { status, body } = await receiptOf(buyer, request.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      receipt_number: expect.stringMatching(/^\d{4}-\d{5}$/),
      email: buyer.email,
      full_name: "Somchai Student",
      package_type: "advanced",
      original_usd: "997",
      discount_percent: "70",
      discount_usd: "697.9",
      upgrade_credit_usd: "0",
      amount_usd: "299.1",
      amount_crypto: "0.00664667",
      reference: "a".repeat(64),
      decided_at: expect.stringMatching(/Z$/),
    });
    expect((await receiptOf(operator, request.id)).body).toEqual(body);
    const mine = await buyer.call("GET", "/api/payment-requests/mine");
    expect(mine.body.items[0].receipt_number).toBe(body.receipt_number);
  });

  it("returns no receipt for a rejected request", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer)).body;
    await reject(id);
    const answer = await receiptOf(buyer, id);
    expect(answer.status).toBe(404);
    expect(answer.body.code).toBe("receipt_not_found");
  });

  it("returns no receipt for another student's request", async () => {
    const buyer = await student(app);
    const stranger = await student(app, "advanced");
    const told = async (id: string) => outcome(await receiptOf(stranger, id));
    const { id } = (await pay(buyer)).body;
    const hidden = [404, "payment_request_not_found"];
    expect(await told(id)).toEqual(hidden);
    await approve(id);
    expect(await told(id)).toEqual(hidden);
    const rejected = (await pay(buyer, { package_type: "advanced" })).body.id;
    await reject(rejected);
    expect(await told(rejected)).toEqual(hidden);
  });

  it("keeps name and e-mail on the receipt of a deleted account", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer)).body;
    await approve(id);
    await operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`);
    expect((await receiptOf(operator, id)).body).toMatchObject({ email: buyer.email, full_name: "Somchai Student" });
  });

  it("names the receipt in the mail of the approval", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer)).body;
    const { receipt_number } = (await approve(id)).body;
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain(`Receipt ${receipt_number}`);
  });
});

describe("the numbers of receipts", () => {
  it("numbers receipts without gaps when many payments are decided at once", async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, async () => (await pay(await student(app))).body.id as string));
    const before = await app.sql<{ last: number }>("select last from receipt_counters");
    const answers = await Promise.all(ids.map((id, index) => (index % 3 === 2 ? reject(id) : approve(id))));
    const places = answers.flatMap(({ body }) => (body.receipt_number === null ? [] : [placeOf(body.receipt_number)]));
    const first = before[0]!.last + 1;
    expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 8 }, (_, index) => first + index));
  });

  it("uses no receipt number for an approval that fails", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer)).body;
    await operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole: "advanced" });
    const before = await app.sql("select * from receipt_counters");
    expect((await approve(id)).body.code).toBe("downgrade_unconfirmed");
    expect(await app.sql("select * from receipt_counters")).toEqual(before);
  });

  it("numbers receipts from 1 in a new year", async () => {
    const next = app.clock.now().getUTCFullYear() + 1;
    app.clock.advance((Date.UTC(next, 0, 2) - app.clock.now().getTime()) / 1000);
    const signedInAgain = await admin(app);
    const { id } = (await pay(await student(app))).body;
    const { body } = await signedInAgain.call("POST", `/api/payment-requests/${id}/approve`);
    expect(body.receipt_number).toBe(`${next}-00001`);
  });
});
