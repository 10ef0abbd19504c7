import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secondsAfter } from "#server/platform/clock";
import type { TestApp } from "../../../../tests/support/app.ts";
import { pay, setUpWallets, uploadScreenshot, walletForm } from "../../../../tests/support/payments.ts";
import { outcome, student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const quoteFor = async (buyer: Person, package_type = "starter"): Promise<string> =>
  (await buyer.call("POST", "/api/quotes", { package_type })).body.id;

const submit = (buyer: Person, body: Record<string, unknown>, key = randomUUID()) =>
  buyer.call("POST", "/api/payment-requests", { crypto_type: "bitcoin", consent: true, ...body }, { "idempotency-key": key });

async function quoteExpiredFor(seconds: number, buyer: Person): Promise<string> {
  const id = await quoteFor(buyer);
  const [created, expires] = [3600, seconds].map((ago) => secondsAfter(app.clock.now(), -ago));
  await app.sql("update quotes set created_at = $2, expires_at = $3 where id = $1", [id, created, expires]);
  return id;
}

/** Returns the id of a quote that was made while the clock was ahead by so many seconds. */
async function quoteAheadBy(seconds: number, buyer: Person): Promise<string> {
  app.clock.set(seconds);
  const id = await quoteFor(buyer);
  app.clock.set(-seconds);
  return id;
}

/** A student's file that is in the bucket of another kind. */
async function materialOf(buyer: Person): Promise<string> {
  const id = await uploadScreenshot(buyer);
  await app.sql("update stored_objects set bucket = 'lesson-attachments' where id = $1", [id]);
  return id;
}

async function quoteWithoutBank(buyer: Person): Promise<string> {
  await setUpWallets(operator, { thai_bank_name: "" });
  const id = await quoteFor(buyer);
  await setUpWallets(operator);
  return id;
}

const allMails = () => app.sql("select id, recipient from mail_outbox order by id");

/** The student has no request, and neither student nor admin is mailed. */
async function expectNothingStored(buyer: Person, mailsBefore: unknown[]): Promise<void> {
  expect((await buyer.call("GET", "/api/payment-requests/mine")).body.items).toEqual([]);
  expect(
    await app.sql("select 1 from audit_log where actor_id = $1 and action = 'payment-request.submit'", [buyer.id]),
  ).toEqual([]);
  expect(await allMails()).toEqual(mailsBefore);
}

describe("submitting", () => {
  it("stores the quoted figures and ignores those of the client", async () => {
    const buyer = await student(app);
    const stranger = await student(app);
    const answer = await pay(buyer, {
      package_type: "advanced",
      coupon_code: "LUNCH",
      extra: {
        amount_usd: "1",
        status: "approved",
        user_id: stranger.id,
        wallet_address: "mine",
        amount_crypto: "0.1",
        discount_percent: "99",
      },
    });
    expect(answer.status).toBe(201);
    const [row] = await app.sql("select * from payment_requests where id = $1", [answer.body.id]);
    expect(row).toMatchObject({
      user_id: buyer.id,
      payer_email: buyer.email,
      status: "pending",
      amount_usd: "299.1",
      original_usd: "997",
      discount_percent: "70",
      coupon_code: "LUNCH",
      amount_crypto: "0.00664667",
      wallet_address: walletForm.bitcoin_address,
    });
  });

  it("stores baht with two decimals and the bank account", async () => {
    const answer = await pay(await student(app), { package_type: "advanced", coupon_code: "LUNCH", crypto_type: "thai_bank" });
    expect(answer.body).toMatchObject({ amount_crypto: "10468.50", wallet_address: "Kasikornbank 012-3-45678-9" });
  });

  it("stores the quoted figures after prices and coupon have changed", async () => {
    const buyer = await student(app);
    await operator.call("POST", "/api/coupons", { code: "BRIEF", discount_starter: "10", discount_advanced: "10" });
    const quote = await buyer.call("POST", "/api/quotes", { package_type: "starter", coupon_code: "BRIEF" });
    await setUpWallets(operator, { bitcoin_price_usd: "90000" });
    await operator.call("PATCH", "/api/coupons/BRIEF", { active: false });
    const answer = await submit(buyer, { quote_id: quote.body.id, upload_id: await uploadScreenshot(buyer) });
    await setUpWallets(operator);
    expect(answer.body).toMatchObject({ amount_usd: "447.3", amount_crypto: "0.00994000", coupon_code: "BRIEF" });
  });

  it("accepts a quote of a process whose clock is five minutes ahead", async () => {
    const buyer = await student(app);
    expect((await pay(buyer, { extra: { quote_id: await quoteAheadBy(300, buyer) } })).status).toBe(201);
  });

  it.each<[string, number, string, (buyer: Person) => Promise<Record<string, unknown>>]>([
    ["an expired quote", 409, "quote_expired", async (buyer) => ({ quote_id: await quoteExpiredFor(1, buyer) })],
    ["a quote at its end", 409, "quote_expired", async (buyer) => ({ quote_id: await quoteExpiredFor(0, buyer) })],
    ["a quote of a clock ahead", 409, "quote_expired", async (buyer) => ({ quote_id: await quoteAheadBy(301, buyer) })],
    ["another student's quote", 404, "quote_not_found", async () => ({ quote_id: await quoteFor(await student(app)) })],
    [
      "another student's screenshot",
      404,
      "upload_not_found",
      async () => ({ upload_id: await uploadScreenshot(await student(app)) }),
    ],
    ["a file that is no screenshot", 404, "upload_not_found", async (buyer) => ({ upload_id: await materialOf(buyer) })],
    [
      "a method that is not set up",
      409,
      "method_unavailable",
      async (buyer) => ({ quote_id: await quoteWithoutBank(buyer), crypto_type: "thai_bank" }),
    ],
    ["no consent", 400, "consent_missing", async () => ({ consent: false })],
    ["no screenshot", 400, "screenshot_missing", async () => ({ upload_id: undefined })],
  ])("refuses a submit with %s and stores nothing", async (_what, status, code, wrong) => {
    const buyer = await student(app);
    const body = { quote_id: await quoteFor(buyer), upload_id: await uploadScreenshot(buyer), ...(await wrong(buyer)) };
    const mailsBefore = await allMails();

    const answer = await submit(buyer, body);

    expect(outcome(answer)).toEqual([status, code]);
    await expectNothingStored(buyer, mailsBefore);
  });

  it("refuses a submit without an Idempotency-Key and stores nothing", async () => {
    const buyer = await student(app);
    const body = { quote_id: await quoteFor(buyer), upload_id: await uploadScreenshot(buyer), crypto_type: "bitcoin" };
    const mailsBefore = await allMails();

    const answer = await buyer.call("POST", "/api/payment-requests", { ...body, consent: true });

    expect(outcome(answer)).toEqual([400, "idempotency_key_missing"]);
    await expectNothingStored(buyer, mailsBefore);
  });

  it("makes one request of twenty submits at once with one key", async () => {
    const buyer = await student(app);
    const body = { quote_id: await quoteFor(buyer), upload_id: await uploadScreenshot(buyer) };
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(buyer, body, key)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.id}`)).size).toBe(1);
    expect((await buyer.call("GET", "/api/payment-requests/mine")).body.items.length).toBe(1);
    const [mails] = await app.sql<{ count: string }>("select count(*) from mail_outbox where recipient = $1", [buyer.email]);
    expect(mails?.count).toBe("1");
  });

  it("refuses an idempotency key of a different request", async () => {
    const buyer = await student(app);
    const key = randomUUID();
    await pay(buyer, { key });
    expect((await pay(buyer, { key, package_type: "advanced" })).body.code).toBe("idempotency_key_reused");
  });

  it("refuses an idempotency key that comes again with a single difference", async () => {
    const buyer = await student(app);
    const key = randomUUID();
    const [quote_id, otherQuote] = [await quoteFor(buyer), await quoteFor(buyer)];
    const body = { quote_id, upload_id: await uploadScreenshot(buyer) };
    const { body: first } = await submit(buyer, body, key);
    const differences = [
      { quote_id: otherQuote },
      { crypto_type: "ethereum" },
      { upload_id: await uploadScreenshot(buyer) },
      { reference: "b".repeat(64) },
      { paid_quote_id: otherQuote },
    ];
    for (const difference of differences) {
      const reply = await submit(buyer, { ...body, ...difference }, key);
      expect(outcome(reply), JSON.stringify(difference)).toEqual([409, "idempotency_key_reused"]);
    }
    expect((await submit(buyer, body, key)).body).toEqual(first);
  });

  it("takes a late payer's retry for the same while it names the same earlier quote", async () => {
    const buyer = await student(app);
    const key = randomUUID();
    const earlier: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      earlier.push(await quoteFor(buyer));
      app.clock.advance(1);
    }
    const body = { quote_id: await quoteFor(buyer), upload_id: await uploadScreenshot(buyer), paid_quote_id: earlier[0] };
    const { body: first } = await submit(buyer, body, key);
    expect((await submit(buyer, body, key)).body).toEqual(first);
    const other = await submit(buyer, { ...body, paid_quote_id: earlier[1] }, key);
    expect(outcome(other)).toEqual([409, "idempotency_key_reused"]);
  });

  it("refuses a second open request for the same package", async () => {
    const buyer = await student(app);
    expect((await pay(buyer)).status).toBe(201);

    const second = await pay(buyer);

    expect(outcome(second)).toEqual([409, "payment_request_open"]);
    expect((await buyer.call("GET", "/api/payment-requests/mine")).body.items).toHaveLength(1);
  });

  it("accepts a request for the other package while one is open", async () => {
    const buyer = await student(app);
    await pay(buyer);
    expect((await pay(buyer, { package_type: "advanced" })).status).toBe(201);
  });

  it("keeps one open request of ten submits at once with different keys", async () => {
    const buyer = await student(app);
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(buyer)));
    expect(answers.filter((answer) => answer.status === 201).length).toBe(1);
    expect(answers.filter((answer) => answer.body.code === "payment_request_open").length).toBe(9);
  });

  it("never fails with a server error when a payer is deleted during a submit", async () => {
    for (let round = 0; round < 12; round++) {
      const buyer = await student(app);
      const body = { quote_id: await quoteFor(buyer), upload_id: await uploadScreenshot(buyer) };
      const answers = await Promise.all([
        submit(buyer, body),
        buyer.call("POST", "/api/quotes", { package_type: "starter" }),
        operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`),
        submit(buyer, body),
        buyer.call("POST", "/api/quotes", { package_type: "starter" }),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
    }
  });
});
