import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { pay, setUpWallets, uploadScreenshot, walletForm } from "../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const tierOf = async (someone: Person): Promise<string> => (await someone.call("GET", "/api/me")).body.subscription_status;

const quoteFor = async (buyer: Person, package_type = "starter"): Promise<string> =>
  (await buyer.call("POST", "/api/quotes", { package_type })).body.id;

const submit = (buyer: Person, body: Record<string, unknown>, key = randomUUID()) =>
  buyer.call("POST", "/api/payment-requests", { crypto_type: "bitcoin", consent: true, ...body }, { "idempotency-key": key });

describe("submitting", () => {
  it("stores the quoted figures and nothing that the client made up", async () => {
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

  it("keeps baht at two decimals and names bank and account", async () => {
    const answer = await pay(await student(app), { package_type: "advanced", coupon_code: "LUNCH", crypto_type: "thai_bank" });
    expect(answer.body).toMatchObject({ amount_crypto: "10468.50", wallet_address: "Kasikornbank 012-3-45678-9" });
  });

  it("uses what was shown even if the admin changes prices and the coupon meanwhile", async () => {
    const buyer = await student(app);
    await operator.call("POST", "/api/coupons", { code: "BRIEF", discount_starter: "10", discount_advanced: "10" });
    const quote = await buyer.call("POST", "/api/quotes", { package_type: "starter", coupon_code: "BRIEF" });
    await setUpWallets(operator, { bitcoin_price_usd: "90000" });
    await operator.call("PATCH", "/api/coupons/BRIEF", { active: false });
    const answer = await submit(buyer, { quote_id: quote.body.id, upload_id: await uploadScreenshot(buyer) });
    await setUpWallets(operator);
    expect(answer.body).toMatchObject({ amount_usd: "447.3", amount_crypto: "0.00994000", coupon_code: "BRIEF" });
  });

  it("refuses an expired quote and stores nothing", async () => {
    const buyer = await student(app);
    const quote_id = await quoteFor(buyer);
    await app.sql("update quotes set created_at = now() - interval '1 hour', expires_at = now() where id = $1", [quote_id]);
    const answer = await submit(buyer, { quote_id, upload_id: await uploadScreenshot(buyer) });
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe("quote_expired");
    expect((await buyer.call("GET", "/api/payment-requests/mine")).body.items).toEqual([]);
  });

  it("refuses another student's quote, another student's screenshot and a method that is not set up", async () => {
    const buyer = await student(app);
    const other = await student(app);
    const upload_id = await uploadScreenshot(buyer);
    const foreignQuote = await submit(buyer, { quote_id: await quoteFor(other), upload_id });
    expect(foreignQuote.body.code).toBe("quote_not_found");
    const foreignFile = await submit(buyer, { quote_id: await quoteFor(buyer), upload_id: await uploadScreenshot(other) });
    expect(foreignFile.body.code).toBe("upload_not_found");
    await setUpWallets(operator, { thai_bank_name: "" });
    const noBank = await submit(buyer, { quote_id: await quoteFor(buyer), upload_id, crypto_type: "thai_bank" });
    await setUpWallets(operator);
    expect(noBank.body.code).toBe("method_unavailable");
  });

  it("needs consent, a screenshot and an Idempotency-Key", async () => {
    const buyer = await student(app);
    const body = { quote_id: await quoteFor(buyer), upload_id: await uploadScreenshot(buyer), crypto_type: "bitcoin" };
    const withoutKey = await buyer.call("POST", "/api/payment-requests", { ...body, consent: true });
    expect(withoutKey.body.code).toBe("idempotency_key_missing");
    expect((await submit(buyer, { ...body, consent: false })).body.code).toBe("consent_missing");
    expect((await submit(buyer, { ...body, upload_id: undefined })).body.error).toBe("Please upload a payment screenshot");
  });

  it("sent twenty times at once with one key makes one request and answers it every time", async () => {
    const buyer = await student(app);
    const body = { quote_id: await quoteFor(buyer), upload_id: await uploadScreenshot(buyer) };
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(buyer, body, key)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.id}`)).size).toBe(1);
    expect((await buyer.call("GET", "/api/payment-requests/mine")).body.items.length).toBe(1);
    const [mails] = await app.sql<{ count: string }>("select count(*) from mail_outbox where recipient = $1", [buyer.email]);
    expect(mails?.count).toBe("1");
  });

  it("with a key of an earlier, different request is refused", async () => {
    const buyer = await student(app);
    const key = randomUUID();
    await pay(buyer, { key });
    expect((await pay(buyer, { key, package_type: "advanced" })).body.code).toBe("idempotency_key_reused");
  });

  it("again while one is waiting is refused, for the other package it is not", async () => {
    const buyer = await student(app);
    expect((await pay(buyer)).status).toBe(201);
    const second = await pay(buyer);
    expect(second.status).toBe(409);
    expect(second.body.code).toBe("payment_request_open");
    expect((await pay(buyer, { package_type: "advanced" })).status).toBe(201);
  });

  it("with ten different keys at once leaves one open request", async () => {
    const buyer = await student(app);
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(buyer)));
    expect(answers.filter((answer) => answer.status === 201).length).toBe(1);
    expect(answers.filter((answer) => answer.body.code === "payment_request_open").length).toBe(9);
  });
});

describe("deciding", () => {
  const request = async (buyer: Person, choice = {}): Promise<string> => (await pay(buyer, choice)).body.id;

  it("by approval sets exactly the package's tier, and mails the student", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    const answer = await operator.call("POST", `/api/payment-requests/${id}/approve`);
    expect(answer.body).toMatchObject({ status: "approved", payer_tier: "starter", email: buyer.email });
    expect(await tierOf(buyer)).toBe("starter");
    const mails = await app.sql<{ subject: string }>("select subject from mail_outbox where recipient = $1 order by id", [
      buyer.email,
    ]);
    expect(mails.length).toBe(2);
  });

  it("by rejection needs a reason, which the student reads before submitting again", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    expect((await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "  " })).body.code).toBe(
      "reason_missing",
    );
    await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "The amount is not readable." });
    const mine = await buyer.call("GET", "/api/payment-requests/mine");
    expect(mine.body.items[0]).toMatchObject({ status: "rejected", rejection_reason: "The amount is not readable." });
    expect(await tierOf(buyer)).toBe("unpaid");
    expect((await pay(buyer)).status).toBe(201);
  });

  it("twenty times at the same moment takes effect once, and the tier matches it", async () => {
    for (let round = 0; round < 3; round++) {
      const buyer = await student(app);
      const id = await request(buyer, { package_type: "advanced" });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0
            ? operator.call("POST", `/api/payment-requests/${id}/approve`)
            : operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "No." }),
        ),
      );
      const winners = answers.filter((answer) => answer.status === 200);
      expect(winners.length).toBe(1);
      const losers = answers.filter((answer) => answer.status === 409);
      expect(losers.length).toBe(19);
      expect(losers[0]?.body.error).toBe(`This payment request was already ${winners[0]?.body.status} by ${operator.email}.`);
      expect(await tierOf(buyer)).toBe(winners[0]?.body.status === "approved" ? "advanced" : "unpaid");
      const entries = await app.sql("select 1 from audit_log where subject_id = $1 and action <> 'payment-request.submit'", [
        id,
      ]);
      expect(entries.length).toBe(1);
    }
  });

  it("downwards needs to be confirmed", async () => {
    const buyer = await student(app, "advanced");
    const id = await request(buyer);
    const warned = await operator.call("POST", `/api/payment-requests/${id}/approve`);
    expect(warned.status).toBe(409);
    expect(warned.body.code).toBe("downgrade_unconfirmed");
    expect(await tierOf(buyer)).toBe("advanced");
    await operator.call("POST", `/api/payment-requests/${id}/approve`, { confirm_downgrade: true });
    expect(await tierOf(buyer)).toBe("starter");
  });

  it("outlives the account: the request stays with e-mail and name, and can no longer be approved", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    const deleted = await operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`);
    expect(deleted.status).toBe(200);
    expect((await buyer.call("GET", "/api/me")).status).toBe(401);
    const listed = await operator.call("GET", `/api/payment-requests?search=${buyer.email}`);
    expect(listed.body.items[0]).toMatchObject({ id, email: buyer.email, full_name: "Somchai Student", payer_tier: null });
    expect((await operator.call("POST", `/api/payment-requests/${id}/approve`)).body.code).toBe("user_not_found");
    const link = await operator.call("GET", `/api/payment-requests/${id}/screenshot`);
    expect((await fetch(link.body.url)).status).toBe(200);
  });

  it("quoting and submitting while the account is being deleted never end in a server error", async () => {
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

  it("while the same user is being deleted never ends in a server error", async () => {
    for (let round = 0; round < 5; round++) {
      const buyer = await student(app);
      const id = await request(buyer);
      const [approved, deleted] = await Promise.all([
        operator.call("POST", `/api/payment-requests/${id}/approve`),
        operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`),
      ]);
      expect([200, 404]).toContain(approved.status);
      expect(deleted.status).toBe(200);
    }
  });
});

describe("the lists", () => {
  it("go newest first by pages without gaps or repeats", async () => {
    const buyer = await student(app);
    for (const package_type of ["starter", "advanced"] as const) await pay(buyer, { package_type });
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = await operator.call("GET", `/api/payment-requests?limit=3${query}`);
      expect(page.status).toBe(200);
      seen.push(...page.body.items.map((item: { id: string }) => item.id));
      cursor = page.body.next_cursor;
    }
    const rows = await app.sql<{ id: string }>("select id from payment_requests order by created_at desc, id desc");
    expect(seen).toEqual(rows.map((row) => row.id));
  });

  it("can be narrowed by state and payer, with any text as the search", async () => {
    const buyer = await student(app);
    await pay(buyer);
    const found = await operator.call("GET", `/api/payment-requests?status=pending&search=${buyer.email.toUpperCase()}`);
    expect(found.body.items.length).toBe(1);
    for (const search of ["%", "_", "\\", "' or 1=1", "%00"]) {
      expect((await operator.call("GET", `/api/payment-requests?search=${encodeURIComponent(search)}`)).status).toBe(200);
    }
    for (const query of ["limit=0", "limit=101", "limit=x", "cursor=%25%25", "status=nonsense"]) {
      expect((await operator.call("GET", `/api/payment-requests?${query}`)).status, query).toBe(400);
    }
  });
});

describe("a screenshot", () => {
  it("opens for its owner and the admin by a link of minutes, and for nobody else", async () => {
    const buyer = await student(app);
    const id = (await pay(buyer)).body.id;
    for (const viewer of [buyer, operator]) {
      const link = await viewer.call("GET", `/api/payment-requests/${id}/screenshot`);
      expect(link.status).toBe(200);
      expect(Date.parse(link.body.expires_at) - app.clock.now().getTime()).toBeLessThanOrEqual(5 * 60 * 1000);
      const file = await fetch(link.body.url);
      expect(file.status).toBe(200);
      expect(file.headers.get("content-type")).toBe("image/png");
    }
    const stranger = await student(app, "advanced");
    expect((await stranger.call("GET", `/api/payment-requests/${id}/screenshot`)).status).toBe(404);
  });
});
