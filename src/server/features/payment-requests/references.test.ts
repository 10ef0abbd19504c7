import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paymentMethod } from "#domain/payment-methods/methods";
import type { TestApp } from "../../../../tests/support/app.ts";
import { pay, setUpWallets, uploadScreenshot, type PaymentChoice } from "../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const newHash = (): string => (randomUUID() + randomUUID()).replaceAll("-", "");
const payWith = async (reference: unknown, choice: PaymentChoice = {}): Promise<Answer> =>
  pay(await student(app), { ...choice, extra: { reference } });
const listed = async (id: string) => {
  const { body } = await operator.call("GET", "/api/payment-requests");
  return body.items.find((item: { id: string }) => item.id === id);
};

describe("a transaction reference", () => {
  it("may be left out or empty, any number of times", async () => {
    for (const reference of [undefined, null, "", "  "]) {
      const answer = await payWith(reference);
      expect(answer.status).toBe(201);
      expect(answer.body.reference).toBeNull();
    }
  });

  it("is stored and shown in one form, by method", async () => {
    const hash = newHash();
    expect((await payWith(` ${hash.toUpperCase()} `)).body.reference).toBe(hash);
    const ether = await payWith(`0x${hash.toUpperCase()}`, { crypto_type: "ethereum" });
    expect(ether.body.reference).toBe(`0x${hash}`);
    const bank = await payWith("kbank-20261121.7", { crypto_type: "thai_bank" });
    expect(bank.body.reference).toBe("KBANK-20261121.7");
    expect((await listed(ether.body.id)).reference).toBe(`0x${hash}`);
  });

  it.each([
    ["bitcoin", "abc"],
    ["bitcoin", `0x${"a".repeat(64)}`],
    ["ethereum", "a".repeat(64)],
    ["thai_bank", "1 2 3 4"],
    ["thai_bank", "12"],
  ] as const)("of a wrong form is refused for %s: %s", async (crypto_type, reference) => {
    const answer = await payWith(reference, { crypto_type });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: paymentMethod(crypto_type).reference.description, code: "reference_invalid" });
  });

  it("is taken once over all requests, however it is written", async () => {
    const hash = newHash();
    const first = await payWith(hash);
    expect(first.status).toBe(201);
    for (const again of [hash, hash.toUpperCase(), `  ${hash}`]) {
      const answer = await payWith(again, { package_type: "advanced" });
      expect(answer.status).toBe(409);
      expect(answer.body.code).toBe("reference_used");
    }
    await operator.call("POST", `/api/payment-requests/${first.body.id}/approve`);
    expect((await payWith(hash)).body.code).toBe("reference_used");
  });

  it("of a rejected request can be used again by the same student, once, and by nobody else", async () => {
    const buyer = await student(app);
    const reference = newHash();
    const first = await pay(buyer, { extra: { reference } });
    await operator.call("POST", `/api/payment-requests/${first.body.id}/reject`, { reason: "The picture is cut off." });
    expect((await payWith(reference)).body.code).toBe("reference_used");
    expect((await pay(buyer, { extra: { reference } })).status).toBe(201);
    expect((await pay(buyer, { package_type: "advanced", extra: { reference } })).body.code).toBe("reference_used");
    expect((await payWith(reference)).body.code).toBe("reference_used");
  });

  it("sent by ten students at once is taken from one", async () => {
    const hash = newHash();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => payWith(index % 2 === 0 ? hash : hash.toUpperCase())),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "reference_used")).toHaveLength(9);
  });

  it("does not make a retry another request", async () => {
    const buyer = await student(app);
    const quote = await buyer.call("POST", "/api/quotes", { package_type: "starter" });
    const body = { quote_id: quote.body.id, crypto_type: "bitcoin", upload_id: await uploadScreenshot(buyer), consent: true };
    const hash = newHash();
    const key = { "idempotency-key": randomUUID() };
    const first = await buyer.call("POST", "/api/payment-requests", { ...body, reference: hash.toUpperCase() }, key);
    const retry = await buyer.call("POST", "/api/payment-requests", { ...body, reference: hash }, key);
    expect([first.status, retry.status]).toEqual([201, 201]);
    expect(retry.body.id).toBe(first.body.id);
  });
});

describe("coins that were paid late", () => {
  it("are shown to the admin with their worth at the locked and at the present price, while there is something to decide", async () => {
    const coins = (await payWith(undefined)).body;
    const baht = (await payWith(undefined, { crypto_type: "thai_bank" })).body;
    expect(await listed(coins.id)).toMatchObject({ amount_usd: "497", usd_at_current_price: "497.00" });
    await setUpWallets(operator, { bitcoin_price_usd: "49500.5" });
    expect(await listed(coins.id)).toMatchObject({
      amount_usd: "497",
      amount_crypto: "0.01104444",
      usd_at_current_price: "546.71",
    });
    expect((await listed(baht.id)).usd_at_current_price).toBeNull();
    const decided = await operator.call("POST", `/api/payment-requests/${coins.id}/approve`);
    expect(decided.body.usd_at_current_price).toBeNull();
    expect((await listed(coins.id)).usd_at_current_price).toBeNull();
    await setUpWallets(operator);
  });

  it("are worth no more to the student, who is told nothing of it", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer);
    expect(body).not.toHaveProperty("usd_at_current_price");
  });
});
