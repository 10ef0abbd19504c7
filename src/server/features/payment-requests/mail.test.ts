import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminEmail, startApp, type TestApp } from "../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { mailsTo } from "../../../../tests/support/mails/received.ts";
import { pay, setUpWallets, uploadScreenshot } from "../../../../tests/support/payments.ts";
import { admin, student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

const site = "https://course.example.com";
let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop({ environment: { PUBLIC_URL: site } })));
afterAll(() => app?.close());

describe("a student is mailed", () => {
  it("mails the student the figures of a new request and a link to it", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer, { package_type: "advanced", coupon_code: "LUNCH" });
    const [mail, ...more] = await mailsTo(app, buyer.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe("We received your payment request for Advanced");
    for (const part of ["Somchai Student", "299.1 USD = 0.00664667 BTC by Bitcoin", "24 hours", body.id, `${site}/student`]) {
      expect(mail?.text).toContain(part);
    }
  });

  it("separates the thousands of an amount in baht", async () => {
    const buyer = await student(app);
    await pay(buyer, { crypto_type: "thai_bank" });
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain("497 USD = 17,395.00 THB by Thai Bank Transfer");
  });

  it("mails the student the approval with a link to the receipt", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer);
    const approved = await operator.call("POST", `/api/payment-requests/${body.id}/approve`);
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.subject).toBe("Your Starter package is unlocked");
    expect(mail?.text).toContain(`Receipt ${approved.body.receipt_number}: ${site}/student/receipts/${body.id}`);
  });

  it("mails the student the reason of a rejection and where to submit again", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer, { package_type: "advanced" });
    const reason = 'The sum is <b>not</b> readable & "cut off".';
    await operator.call("POST", `/api/payment-requests/${body.id}/reject`, { reason });
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain(`Reason: ${reason}`);
    expect(mail?.text).toContain(`${site}/payment?package=advanced`);
  });
});

const decide = (id: string, name: string, body: object) => operator.call("POST", `/api/payment-requests/${id}/${name}`, body);

/** Gives a student another address and returns it. */
async function moveAddress({ id, email }: Person): Promise<string> {
  const moved = `moved-${email}`;
  await app.sql("update accounts set email = $2 where id = $1", [id, moved]);
  return moved;
}

/** Returns what submits a payment whose quote and screenshot are there. */
async function prepareSubmit(buyer: Person): Promise<() => Promise<Answer>> {
  const { id: quote_id } = (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body;
  const input = { quote_id, crypto_type: "bitcoin", upload_id: await uploadScreenshot(buyer), consent: true };
  return () => buyer.call("POST", "/api/payment-requests", input, { "idempotency-key": quote_id });
}

/** Returns what submits a rejected payment again. */
async function prepareResubmission(buyer: Person): Promise<() => Promise<Answer>> {
  const { id } = (await pay(buyer)).body;
  await decide(id, "reject", { reason: "Not readable." });
  return () => buyer.call("POST", `/api/payment-requests/${id}/resubmit`, {}, { "idempotency-key": randomUUID() });
}

/** OWN-3. */
describe("a student with another address since the submit", () => {
  it.each([
    ["approval", "approve", {}, "Your Starter package is unlocked"],
    ["rejection", "reject", { reason: "Too little." }, "Your payment request for Starter was not approved"],
    ["part that arrived", "ask-rest", { amount_received: "10000" }, "Part of your payment for Starter has arrived"],
  ])("is mailed the %s at the present address", async (_what, name, input, subject) => {
    const buyer = await student(app);
    const { body } = await pay(buyer, { crypto_type: "thai_bank" });
    const moved = await moveAddress(buyer);
    await decide(body.id, name, input);
    expect((await mailsTo(app, moved)).map((mail) => mail.subject)).toEqual([subject]);
    expect(await mailsTo(app, buyer.email)).toHaveLength(1);
  });

  it("is mailed the undone decision at the present address", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer);
    await decide(body.id, "approve", {});
    const moved = await moveAddress(buyer);
    await decide(body.id, "reopen", { reason: "By mistake." });
    const [mail] = await mailsTo(app, moved);
    expect(mail?.subject).toBe("Your payment request for Starter is under review again");
  });

  it.each<[string, (buyer: Person) => Promise<() => Promise<Answer>>]>([
    ["submit", prepareSubmit],
    ["resubmission", prepareResubmission],
  ])("has the present address in a %s that waits for its change", async (_what, prepare) => {
    const buyer = await student(app);
    const submit = await prepare(buyer);
    const moved = `moved-${buyer.email}`;
    const change = { text: "update accounts set email = $2 where id = $1", values: [buyer.id, moved] };
    const { status, body } = await behindTransaction(app, change, submit);
    expect(status).toBe(201);
    expect(await app.sql("select payer_email from payment_requests where id = $1", [body.id])).toEqual([
      { payer_email: moved },
    ]);
    const [mail] = await mailsTo(app, moved);
    expect(mail?.subject).toBe("We received your payment request for Starter");
    expect(mail?.text).toContain(body.id);
    const entries = await app.sql("select actor_email from audit_log where subject_id = $1", [body.id]);
    expect(entries).toEqual([{ actor_email: moved }]);
  });

  // ACCOUNT-8
  it("is mailed the rejection at the old address once the account is deleted", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer);
    await moveAddress(buyer);
    await operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`);
    await decide(body.id, "reject", { reason: "Nothing arrived." });
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.subject).toBe("Your payment request for Starter was not approved");
  });
});

/** EVIDENCE-5. */
describe("the admin is mailed", () => {
  it("mails the admin a new request with payer, figures, reference and claim", async () => {
    const buyer = await student(app);
    const earlier = await buyer.call("POST", "/api/quotes", { package_type: "starter", coupon_code: "LUNCH" });
    const reference = "d".repeat(64);
    const { body } = await pay(buyer, { extra: { reference, paid_quote_id: earlier.body.id } });
    const mails = (await mailsTo(app, adminEmail)).filter(({ text }) => text.includes(body.id));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe("New payment request: Starter, 497 USD");
    for (const part of [
      buyer.email,
      "497 USD = 0.01104444 BTC",
      reference,
      "0.00552222 BTC",
      "No request of another student has this reference.",
      `${site}/admin/payments/${body.id}`,
    ]) {
      expect(mails[0]?.text).toContain(part);
    }
  });
});

it("mails the admin no link that a student's name would make", async () => {
  const buyer = await student(app);
  await app.sql("update profiles set full_name = 'Pay at evil.example/now' where id = $1", [buyer.id]);
  const { body } = await pay(buyer);
  for (const address of [adminEmail, buyer.email]) {
    const mail = (await mailsTo(app, address)).find(({ text }) => text.includes(body.id));
    expect(mail?.text).toMatch(/A student \(student-|Hello,/);
    expect(mail?.text).not.toContain("evil");
  }
});

/** `fetch` ignores a given Host header, so this uses `request`. */
function postAs(on: TestApp, person: Person, path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${person.accessToken}`, "content-type": "application/json" };
    const call = request(on.url + path, { method: "POST", headers }, (reply) => resolve(reply.resume().statusCode));
    call.on("error", reject).end("{}");
  });
}

it("mails no link to a host that only the request names", async () => {
  const plain = await startApp();
  try {
    const boss = await admin(plain);
    await setUpWallets(boss);
    const buyer = await student(plain);
    const { body } = await pay(buyer);
    expect(await postAs(plain, boss, `/api/payment-requests/${body.id}/approve`, "evil.example")).toBe(200);
    const [mail] = await mailsTo(plain, buyer.email);
    expect(mail?.subject).toBe("Your Starter package is unlocked");
    expect(mail?.text).not.toContain("evil.example");
    expect(mail?.text).toContain("on your dashboard");
  } finally {
    await plain.close();
  }
});
