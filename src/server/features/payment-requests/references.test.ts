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

/** PAY-4. */
describe("a transaction reference", () => {
  it("accepts any number of requests without a reference", async () => {
    for (const reference of [undefined, null, "", "  "]) {
      const answer = await payWith(reference);
      expect(answer.status).toBe(201);
      expect(answer.body.reference).toBeNull();
    }
  });

  it("stores a reference in its method's normal form", async () => {
    const hash = newHash();
    expect((await payWith(` ${hash.toUpperCase()} `)).body.reference).toBe(hash);
    const ether = await payWith(`0x${hash.toUpperCase()}`, { crypto_type: "ethereum" });
    expect(ether.body.reference).toBe(`0x${hash}`);
    expect((await payWith(hash, { crypto_type: "ethereum" })).body.reference).toBe(`0x${hash}`);
    const bank = await payWith("kbank-20261121.7", { crypto_type: "thai_bank" });
    expect(bank.body.reference).toBe("KBANK202611217");
    expect((await listed(ether.body.id)).reference).toBe(`0x${hash}`);
  });

  it.each([
    ["bitcoin", "abc"],
    ["bitcoin", `0x${"a".repeat(64)}`],
    ["ethereum", "a".repeat(63)],
    ["thai_bank", "1 2 3"],
    ["thai_bank", "12"],
  ] as const)("refuses a malformed reference for %s: %s", async (crypto_type, reference) => {
    const answer = await payWith(reference, { crypto_type });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: paymentMethod(crypto_type).reference.description, code: "reference_invalid" });
  });

  it("accepts a used reference however it is written, and from ten students at once", async () => {
    const hash = newHash();
    const first = await payWith(hash);
    for (const again of [hash, hash.toUpperCase(), `  ${hash}`]) {
      const answer = await payWith(again, { package_type: "advanced" });
      expect([answer.status, answer.body.reference]).toEqual([201, hash]);
    }
    await operator.call("POST", `/api/payment-requests/${first.body.id}/approve`);
    const answers = await Promise.all(Array.from({ length: 10 }, () => payWith(hash)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
  });

  it("takes a retry with the reference written in another way for the same request", async () => {
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
  it("lists a pending request's coins at the current price for the admin", async () => {
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

  it("leaves the value at the current price out of the reply to the student", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer);
    expect(body).not.toHaveProperty("usd_at_current_price");
  });
});
