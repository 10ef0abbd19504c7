// Over 250 lines: what one stand-in chain may have of a payment, named, by amount and at an address of its own.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bip84Key } from "../../../../../tests/support/domain/bitcoin-keys.ts";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { startBitcoinShop, type BitcoinShop } from "../../../../../tests/support/chains/bitcoin-shop.ts";
import type { Esplora } from "../../../../../tests/support/chains/esplora.ts";
import { chainEvidenceOf, lookUpDue } from "../../../../../tests/support/chains/jobs.ts";
import { pay, setUpWallets, walletForm, type PaymentChoice } from "../../../../../tests/support/payments.ts";
import { admin, student, type Person } from "../../../../../tests/support/people.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { secondsAfter } from "../../../platform/clock.ts";

let shop: BitcoinShop;
let app: TestApp;
let operator: Person;
let esplora: Esplora;
beforeAll(async () => {
  shop = await startBitcoinShop();
  ({ app, operator, esplora } = shop);
});
beforeEach(async () => {
  await app.sql(
    "update payment_requests set status = 'rejected', rest_asked_at = null, decided_at = now(), decided_by = 'x', rejection_reason = 'x'",
  );
});
afterAll(() => shop?.close());

const destination = walletForm.bitcoin_address;
/** 497 USD at 45000. */
const due = "0.01104444";

async function request(reference?: string, choice: PaymentChoice = {}): Promise<string> {
  const { body } = await pay(await student(app), { extra: { reference }, ...choice });
  expect(body.code).toBeUndefined();
  return body.id;
}

/** Looks up all requests some seconds later. */
async function later(seconds = 601): Promise<void> {
  app.clock.advance(seconds);
  expect(await lookUpDue(app)).toEqual([]);
  operator = await admin(app);
}

const mine = (blocks: number): void => esplora.mine(blocks, app.clock.now());
const evidenceOf = (id: string): Promise<any> => chainEvidenceOf(operator, id);

// CHAIN-2, CHAIN-3
describe("a payment in bitcoin that names its transaction", () => {
  it("is confirmed by three blocks and final after six", async () => {
    const transaction = esplora.pay(destination, due);
    const id = await request(transaction);
    await lookUpDue(app);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "unconfirmed", details: { confirmations: 0, amount_received: due } });
    mine(2);
    await later();
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "unconfirmed",
      text: "0.01104444 BTC, exactly the amount due, is on its way: 2 of 3 confirmations.",
    });
    mine(1);
    await later();
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "matched",
      details: { network: "Bitcoin", transactions: [{ explorer: `https://mempool.space/tx/${transaction}` }] },
    });
    mine(3);
    await later();
    expect(await evidenceOf(id)).toMatchObject({ text: expect.stringContaining("6 or more confirmations") });
    const asked = esplora.asked.length;
    await later(24 * 3600);
    expect(esplora.asked.length).toBe(asked);
  });

  it("counts the outputs to the destination alone", async () => {
    const id = await request(esplora.pay(destination, "0.01"));
    mine(3);
    await later();
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "short",
      text: "0.01000000 BTC, 0.00104444 BTC (47 USD) less than due, has arrived with 3 confirmations.",
    });
  });

  it("names what a transaction pays instead", async () => {
    const id = await request(esplora.pay("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", due));
    await lookUpDue(app);
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "other_destination",
      text: expect.stringContaining("it pays bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq, 1Boat"),
    });
  });

  it("is the sum of the transactions that the student names for each part", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer, { extra: { reference: esplora.pay(destination, "0.01") } });
    const { ask, sendRest } = partialPayments(app, operator);
    expect((await ask(body.id, "0.01")).status).toBe(200);
    const rest = await sendRest(buyer, body.id, { reference: esplora.pay(destination, "0.00104444") });
    expect(rest.status).toBe(201);
    mine(3);
    await later();
    expect(await evidenceOf(body.id)).toMatchObject({
      verdict: "matched",
      text: expect.stringContaining("0.01104444 BTC in 2 transactions"),
    });
  });

  // CHAIN-3, PART-4
  it("is looked up at once when its rest is sent", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer, { extra: { reference: esplora.pay(destination, "0.01") } })).body;
    const { ask, sendRest } = partialPayments(app, operator);
    await ask(id, "0.01");
    await lookUpDue(app);
    const rest = await sendRest(buyer, id, { reference: esplora.pay(destination, "0.00104444") });
    expect(rest.status).toBe(201);
    await lookUpDue(app);
    expect(await evidenceOf(id)).toMatchObject({ details: { amount_received: due } });
  });

  // QUOTE-6, PART-3
  it("is compared with the present amount once a late payer is asked for the rest", async () => {
    const buyer = await student(app);
    const paid_quote_id = (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body.id;
    await setUpWallets(operator, { bitcoin_price_usd: "40000" });
    const { id } = (await pay(buyer, { extra: { reference: esplora.pay(destination, due), paid_quote_id } })).body;
    mine(6);
    await lookUpDue(app);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "matched", details: { amount_due: due } });
    const { ask, sendRest } = partialPayments(app, operator);
    const { rest } = (await ask(id, due)).body;
    expect(await evidenceOf(id)).toMatchObject({ verdict: "short", details: { amount_due: "0.012425" } });
    await sendRest(buyer, id, { reference: esplora.pay(destination, rest.method.amount_crypto) });
    mine(6);
    await lookUpDue(app);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "matched", details: { amount_received: "0.01242500" } });
    await setUpWallets(operator);
  });

  // CHAIN-5, PART-4
  it("counts for two requests also where one names it for a rest at a new address", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer, { extra: { reference: esplora.pay(destination, "0.01") } })).body;
    const present = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    await setUpWallets(operator, { bitcoin_address: present });
    const transaction = esplora.pay(present, due);
    const other = await request(transaction);
    const { ask, sendRest } = partialPayments(app, operator);
    await ask(id, "0.01");
    expect((await sendRest(buyer, id, { reference: transaction })).status).toBe(201);
    await lookUpDue(app);
    for (const [one, used_by] of [
      [id, other],
      [other, id],
    ] as const) {
      expect(await evidenceOf(one)).toMatchObject({ details: { used_by: [{ payment_request_id: used_by }] } });
    }
    await setUpWallets(operator);
  });

  it("says that a transaction was seen and is gone", async () => {
    const transaction = esplora.pay(destination, due);
    const id = await request(transaction);
    await lookUpDue(app);
    esplora.drop(transaction);
    await later();
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "not_found",
      text: expect.stringContaining("seen before and is gone"),
    });
    expect(await evidenceOf(await request("7".repeat(64)))).toMatchObject({ verdict: "unavailable" });
  });
});

// CHAIN-2, CHAIN-5
describe("a payment in bitcoin without a reference", () => {
  const choice: PaymentChoice = { package_type: "advanced" };
  const amount = "0.02215556";

  it("is found by its exact amount at the shared address among many later ones", async () => {
    const id = await request(undefined, choice);
    const transaction = esplora.pay(destination, amount);
    mine(1);
    for (let other = 0; other < 60; other += 1) esplora.pay(destination, "0.0002");
    mine(2);
    esplora.pay(destination, "0.0003");
    await later();
    expect(await evidenceOf(id)).toMatchObject({ verdict: "matched", details: { transactions: [{ id: transaction }] } });
  });

  it("stays the one that was found when another of its amount arrives", async () => {
    const id = await request(undefined, choice);
    const transaction = esplora.pay(destination, amount);
    mine(1);
    await later();
    esplora.pay(destination, amount);
    mine(1);
    await later();
    expect(await evidenceOf(id)).toMatchObject({ details: { confirmations: 2, transactions: [{ id: transaction }] } });
  });

  // CHAIN-3
  it("is found later where at first another student's was there alone", async () => {
    const others = esplora.pay(destination, amount);
    await request(others, choice);
    mine(6);
    await lookUpDue(app);
    const waiting = await request(undefined, choice);
    await lookUpDue(app);
    expect(await evidenceOf(waiting)).toMatchObject({ verdict: "used_before", details: { transactions: [{ id: others }] } });
    const own = esplora.pay(destination, amount);
    mine(6);
    await later(3600);
    expect(await evidenceOf(waiting)).toMatchObject({ verdict: "matched", details: { transactions: [{ id: own }] } });
  });

  it("is found later where another student names the one that was found", async () => {
    const [waiting, found] = [await request(undefined, choice), esplora.pay(destination, amount)];
    mine(6);
    await lookUpDue(app);
    expect(await evidenceOf(waiting)).toMatchObject({ verdict: "matched", details: { transactions: [{ id: found }] } });
    await request(found, choice);
    await lookUpDue(app);
    const own = esplora.pay(destination, amount);
    mine(6);
    await later(3600);
    expect(await evidenceOf(waiting)).toMatchObject({ verdict: "matched", details: { transactions: [{ id: own }] } });
  });

  it("counts one payment for both requests and flags both", async () => {
    const [first, second] = [await request(undefined, choice), await request(undefined, choice)];
    app.clock.advance(3600);
    esplora.pay(destination, amount);
    mine(3);
    await later();
    expect(await evidenceOf(first)).toMatchObject({
      verdict: "used_before",
      details: { used_by: [{ payment_request_id: second }] },
    });
    expect(await evidenceOf(second)).toMatchObject({
      verdict: "used_before",
      details: { used_by: [{ payment_request_id: first }] },
    });
  });
});

// CHAIN-2, QUOTE-7
describe("a payment to an address of its own", () => {
  const addressOf = async (id: string): Promise<string> =>
    (await app.sql<any>("select wallet_address from payment_requests where id = $1", [id]))[0].wallet_address;
  beforeAll(() => setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub: bip84Key }));
  afterAll(() => setUpWallets(operator));

  it("is all that arrived there, in however many transactions", async () => {
    const id = await request();
    await later();
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "not_found",
      text: expect.stringContaining("the request's own address"),
    });
    const transactions = [esplora.pay(await addressOf(id), "0.01"), esplora.pay(await addressOf(id), "0.00104444")];
    mine(3);
    await later();
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "matched",
      text: "0.01104444 BTC in 2 transactions, exactly the amount due, has arrived with 3 confirmations.",
      details: {
        transactions: [{ id: transactions[0], amount_received: "0.01000000" }, { id: transactions[1] }],
      },
    });
    esplora.pay(await addressOf(id), due);
    mine(3);
    await later();
    expect(await evidenceOf(id)).toMatchObject({ verdict: "over", details: { amount_received: "0.02208888" } });
  });

  it.each([false, true])("may have come before the newest quote, of another amount, named: %s", async (isNamed) => {
    const buyer = await student(app);
    const { methods } = (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body;
    const transaction = esplora.pay(methods[0].wallet_address, due);
    esplora.mine(6, secondsAfter(app.clock.now(), -3 * 3600));
    // The student's session would not outlive a clock that is moved.
    await app.sql(
      "update quotes set created_at = created_at - interval '4 hours', expires_at = expires_at - interval '4 hours'",
    );
    await app.sql("update bitcoin_addresses set held_until = held_until - interval '4 hours'");
    const key = { bitcoin_address: "", bitcoin_xpub: bip84Key };
    await setUpWallets(operator, { ...key, bitcoin_price_usd: "46000" });
    const { body } = await pay(buyer, { extra: { reference: isNamed ? transaction : undefined } });
    await setUpWallets(operator, key);
    expect(body).toMatchObject({ wallet_address: methods[0].wallet_address, amount_crypto: "0.01080435" });
    await lookUpDue(app);
    expect(await evidenceOf(body.id)).toMatchObject({ verdict: "over", details: { amount_received: due } });
  });

  it("is seen where the student names another transaction", async () => {
    const id = await request(esplora.pay("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", due));
    await later();
    expect(await evidenceOf(id)).toMatchObject({ verdict: "other_destination" });
    esplora.pay(await addressOf(id), due);
    await later();
    expect(await evidenceOf(id)).toMatchObject({ verdict: "unconfirmed", details: { amount_received: due } });
  });

  it("is no more one's own where the owner has all students pay there", async () => {
    const own = await request();
    const address = await addressOf(own);
    await setUpWallets(operator, { bitcoin_address: address });
    const other = await request();
    esplora.pay(address, due);
    esplora.pay(address, "0.01");
    mine(3);
    await later();
    for (const id of [own, other]) expect(await evidenceOf(id)).toMatchObject({ details: { amount_received: due } });
    await setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub: bip84Key });
  });

  it("is no more one's own where another student is told to pay a rest there", async () => {
    await setUpWallets(operator);
    const other = await request();
    await setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub: bip84Key });
    const own = await request();
    const address = await addressOf(own);
    await setUpWallets(operator, { bitcoin_address: address, bitcoin_xpub: bip84Key });
    await partialPayments(app, operator).ask(other, "0.01");
    esplora.pay(address, due);
    esplora.pay(address, "0.00104444");
    mine(3);
    await later();
    expect(await evidenceOf(own)).toMatchObject({ verdict: "matched", details: { amount_received: due } });
    await setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub: bip84Key });
  });

  it("tells whether an address was ever part of a transaction", async () => {
    const reader = app.deps.chains.bitcoin!.reader(new AbortController().signal);
    const address = await addressOf(await request());
    expect(await reader.hasHistory(address)).toBe(false);
    esplora.pay(address, "0.0001");
    expect(await reader.hasHistory(address)).toBe(true);
  });

  it("is also what a further part paid to a changed destination", async () => {
    const buyer = await student(app);
    const { body } = await pay(buyer);
    esplora.pay(body.wallet_address, "0.01");
    await setUpWallets(operator);
    const { ask, sendRest } = partialPayments(app, operator);
    await ask(body.id, "0.01");
    await sendRest(buyer, body.id, { reference: esplora.pay(destination, "0.00104444") });
    mine(3);
    await later();
    expect(await evidenceOf(body.id)).toMatchObject({ verdict: "matched", details: { amount_received: due } });
  });
});

it("has no chain evidence of a bank transfer", async () => {
  expect(await evidenceOf(await request(undefined, { crypto_type: "thai_bank" }))).toBeUndefined();
});
