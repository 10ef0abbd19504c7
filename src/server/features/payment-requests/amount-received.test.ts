import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { mailsTo } from "../../../../tests/support/mails/received.ts";
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
    expect(mail?.text).toContain("10,000.00 THB of 10,468.50 THB has arrived, so 468.50 THB is still to be paid.");
    expect(mail?.text).toContain("Send only what is missing");
    const [entry] = await app.sql("select details from audit_log where subject_id = $1 and action like '%reject'", [id]);
    expect(entry?.["details"]).toMatchObject({ amount_received: "10000.00" });
  });

  it("asks by mail for no rest where nothing has arrived", async () => {
    const buyer = await student(app);
    await reject(await payBaht(buyer), "0");
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain("Nothing has arrived, so 10,468.50 THB is still to be paid.");
    expect(mail?.text).toContain("If you have sent it, submit the request again; if not, send it first.");
    expect(mail?.text).not.toContain("Send only what is missing");
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

/** DECIDE-7, PAY-9. */
describe("the mail about a rejection asks for no money", () => {
  const setTier = (buyer: Person, newRole: string) =>
    operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole });
  const rejectedMail = async (buyer: Person, id: string): Promise<string> => {
    await reject(id, "10000");
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain("Reason: Too little arrived.");
    return mail!.text;
  };

  it("where the student has the package by now", async () => {
    const buyer = await student(app);
    const id = await payBaht(buyer);
    await setTier(buyer, "advanced");
    const text = await rejectedMail(buyer, id);
    expect(text).toContain("Amount received: 10,000.00 THB.");
    expect(text).toContain("You already have everything in this package, so there is nothing to pay.");
    expect(text).not.toMatch(/still to be paid|Send only|submit|\/payment/i);
  });

  it("where a better tier includes the package", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer, { crypto_type: "thai_bank" });
    await setTier(buyer, "advanced");
    const text = await rejectedMail(buyer, body.id);
    expect(text).toContain("You already have everything in this package");
    expect(text).not.toMatch(/still to be paid|Send only|submit|\/payment/i);
  });

  it("where the account is deleted", async () => {
    const buyer = await student(app);
    const id = await payBaht(buyer);
    await operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`);
    const text = await rejectedMail(buyer, id);
    expect(text).toContain("Amount received: 10,000.00 THB.");
    expect(text).not.toMatch(/still to be paid|Send only|submit|\/payment|\/student|You already/i);
  });

  it("but does where the tier does not include the package", async () => {
    const buyer = await student(app);
    const id = await payBaht(buyer);
    await setTier(buyer, "starter");
    const text = await rejectedMail(buyer, id);
    expect(text).toContain("468.50 THB is still to be paid.");
    expect(text).toContain("/payment?package=advanced");
  });
});

const approve = (id: string, body: object): Promise<Answer> =>
  operator.call("POST", `/api/payment-requests/${id}/approve`, body);

/** PART-1, PART-2. */
describe("an approval with the amount received", () => {
  it.each([
    ["less", " 10000 ", "10000.00"],
    ["all of it", "10468.5", "10468.50"],
    ["more", "10500", "10500.00"],
    ["nothing", "0", "0.00"],
  ])("keeps %s on the request and the receipt", async (_what, typed, amount_received) => {
    const buyer = await student(app);
    const id = await payBaht(buyer);
    const sums = { status: "approved", amount_crypto: "10468.50", amount_received, amount_owed: null, rest: null };
    expect((await approve(id, { amount_received: typed, note: "Bank fee." })).body).toMatchObject({
      ...sums,
      note: "Bank fee.",
    });
    expect((await buyer.call("GET", `/api/payment-requests/${id}/receipt`)).body).toMatchObject(sums);
    const [entry] = await app.sql("select details from audit_log where subject_id = $1 and action like '%approve'", [id]);
    expect(entry?.["details"]).toMatchObject({ amount_received, note: "Bank fee." });
  });

  it.each([
    ["10000", "Amount received: 10,000.00 THB."],
    ["10500", "Amount received: 10,500.00 THB."],
    ["10468.50", undefined],
    [undefined, undefined],
  ])("mails the student what arrived where it differs: %s", async (amount_received, text) => {
    const buyer = await student(app);
    await approve(await payBaht(buyer), { amount_received });
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.subject).toContain("is unlocked");
    if (text === undefined) expect(mail?.text).not.toContain("Amount received");
    else expect(mail?.text).toContain(text);
  });

  it.each([undefined, null, "", "  "])("stores no amount received for %j", async (amount) => {
    const id = await payBaht(await student(app));
    expect((await approve(id, { amount_received: amount })).body).toMatchObject({ status: "approved", amount_received: null });
  });

  it.each(["1.001", "-1", "1e2", "1,000", "much", "1".repeat(16)])(
    "refuses %s as the amount of an approval",
    async (amount) => {
      const buyer = await student(app);
      const id = await payBaht(buyer);
      const refused = { status: 400, body: { code: "amount_received_unreadable" } };
      expect(await approve(id, { amount_received: amount })).toMatchObject(refused);
      expect(await app.sql("select status from payment_requests where id = $1", [id])).toEqual([{ status: "pending" }]);
      expect((await buyer.call("GET", "/api/me")).body.subscription_status).toBe("unpaid");
    },
  );

  it("keeps the amount last stated when the rest that was asked for has not come", async () => {
    const id = await payBaht(await student(app));
    await operator.call("POST", `/api/payment-requests/${id}/ask-rest`, { amount_received: "10000", note: "Asked by phone." });
    expect((await approve(id, {})).body).toMatchObject({ amount_received: "10000.00", rest: null, note: "Asked by phone." });
  });

  it("never sends the note to the student", async () => {
    const buyer = await student(app);
    const id = await payBaht(buyer);
    await operator.call("POST", `/api/payment-requests/${id}/ask-rest`, { amount_received: "10000", note: "Odd fellow." });
    const replies = [(await buyer.call("GET", "/api/payment-requests/mine")).body, await mailsTo(app, buyer.email)];
    await approve(id, { note: "Odd fellow." });
    replies.push((await buyer.call("GET", `/api/payment-requests/${id}/receipt`)).body, await mailsTo(app, buyer.email));
    expect(JSON.stringify(replies)).not.toContain("Odd fellow");
  });
});
