import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { saveWallets, thiefAddress } from "../../../../../tests/support/wallet/guard.ts";
import { pay, uploadScreenshot, walletForm } from "../../../../../tests/support/payments.ts";
import { admin, student, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { letProofExpire } from "../../../../../tests/support/second-factor.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const quoteFor = async (buyer: Person) => (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body;
const openQuotes = async (): Promise<number> => (await operator.call("GET", "/api/wallet-settings/open-quotes")).body.count;
const voidQuotes = (): Promise<Answer> => operator.call("POST", "/api/wallet-settings/void-quotes");
const submit = async (buyer: Person, quote_id: string): Promise<Answer> =>
  buyer.call(
    "POST",
    "/api/payment-requests",
    { quote_id, crypto_type: "bitcoin", upload_id: await uploadScreenshot(buyer), consent: true },
    { "idempotency-key": crypto.randomUUID() },
  );

// GUARD-4
describe("ending open quotes", () => {
  it("ends those that are neither expired nor used, and counts them", async () => {
    await quoteFor(await student(app));
    app.clock.advance(31 * 60);
    operator = await admin(app);
    const [one, other, payer] = await Promise.all(Array.from({ length: 3 }, () => student(app)));
    const quotes = [await quoteFor(one!), await quoteFor(other!)];
    expect((await pay(payer!)).status).toBe(201);
    expect(await openQuotes()).toBe(2);

    expect((await voidQuotes()).body).toEqual({ count: 2 });

    expect(await openQuotes()).toBe(0);
    expect((await voidQuotes()).body).toEqual({ count: 0 });
    expect((await one!.call("GET", `/api/quotes/${quotes[0].id}`)).body).toEqual({ is_void: true });
    const [entry] = await app.sql(
      "select actor_email, subject_type, subject_id, details from audit_log where action = 'quotes.void' order by id limit 1",
    );
    expect(entry).toEqual({
      actor_email: operator.email,
      subject_type: "wallet-settings",
      subject_id: "1",
      details: { count: 2 },
    });
    expect(await quoteFor(one!)).toMatchObject({ package_type: "starter" });
    expect(await openQuotes()).toBe(1);
  });

  it("counts no quote of a clock that was ahead", async () => {
    const [buyer, count] = [await student(app), await openQuotes()];
    app.clock.set(300);
    await quoteFor(buyer);
    app.clock.set(-300);
    expect(await openQuotes()).toBe(count + 1);
    app.clock.set(-1);
    expect(await openQuotes()).toBe(count);
    app.clock.set(1);
  });

  it("refuses a submit of an ended quote, and accepts its figures as a late payment", async () => {
    const buyer = await student(app);
    const quote = await quoteFor(buyer);
    await saveWallets(operator, { bitcoin_address: thiefAddress });
    await voidQuotes();
    expect(await submit(buyer, quote.id)).toMatchObject({ status: 409, body: { code: "quote_void" } });

    const { earlier } = await quoteFor(buyer);
    expect(earlier).toMatchObject([{ id: quote.id }]);
    const request = await pay(buyer, { extra: { paid_quote_id: quote.id } });
    expect(request.body).toMatchObject({
      wallet_address: thiefAddress,
      paid_by_earlier_quote: { wallet_address: walletForm.bitcoin_address, destination_current: false },
    });
    await saveWallets(operator, {});
  });

  it("needs a session that was proven in the last ten minutes", async () => {
    await letProofExpire(app, operator);
    expect((await voidQuotes()).body.code).toBe("step_up_needed");
  });

  it("reads no other student's quote", async () => {
    const quote = await quoteFor(await student(app));
    expect((await (await student(app)).call("GET", `/api/quotes/${quote.id}`)).body.code).toBe("quote_not_found");
  });
});
