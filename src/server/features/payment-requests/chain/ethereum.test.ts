// Over 250 lines: one real node serves every case, since it takes seconds to start.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { minuteText } from "#domain/texts/minute-text";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { startAnvil, type Anvil } from "../../../../../tests/support/chains/anvil.ts";
import { chainEvidenceOf, lookUpDue } from "../../../../../tests/support/chains/jobs.ts";
import { pay, walletForm, type PaymentChoice } from "../../../../../tests/support/payments.ts";
import { admin, student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { secondsAfter } from "../../../platform/clock.ts";

let anvil: Anvil;
let app: TestApp;
let operator: Person;
beforeAll(async () => {
  anvil = await startAnvil();
  ({ app, operator } = await startShop({ environment: { ETHEREUM_RPC_URL: anvil.url } }));
});
afterAll(async () => {
  await app?.close();
  await anvil?.stop();
});

const destination = walletForm.ethereum_address;
/** 497 USD at 3000. */
const due = "0.16566667";
const other = "0x000000000000000000000000000000000000dead";

async function request(reference?: string | null, choice: PaymentChoice = {}): Promise<string> {
  const { body } = await pay(await student(app), { crypto_type: "ethereum", extra: { reference }, ...choice });
  expect(body.code).toBeUndefined();
  return body.id;
}

/** Lets the node's clock be the site's. */
const syncTime = (): Promise<void> => anvil.rpc("evm_setTime", app.clock.now().getTime());

/** Undoes all blocks since a snapshot. */
async function reorganise(snapshot: string): Promise<void> {
  await anvil.rpc("evm_revert", snapshot);
  await syncTime();
}

/** Looks up all requests some seconds later. */
async function later(seconds = 61): Promise<void> {
  app.clock.advance(seconds);
  await syncTime();
  if (seconds >= 600) await anvil.mine();
  expect(await lookUpDue(app)).toEqual([]);
  operator = await admin(app);
}

const evidenceOf = (id: string): Promise<any> => chainEvidenceOf(operator, id);

/** Sends ether, has it confirmed, and returns the evidence of a request that names the transaction. */
async function evidenceOfPaid(to: string, ether: string, fields?: Record<string, string>): Promise<any> {
  const transaction = await anvil.send(to, ether, fields);
  await anvil.mine(12);
  const id = await request(transaction);
  await lookUpDue(app);
  return evidenceOf(id);
}

// CHAIN-2, CHAIN-3
describe("a payment in ether that names its transaction", () => {
  it("matches once twelve blocks confirm exactly the amount", async () => {
    const transaction = await anvil.send(destination, due);
    const id = await request(transaction);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "unavailable", text: "The payment is being looked up." });
    await lookUpDue(app);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "unconfirmed", details: { confirmations: 0 } });
    await anvil.mine(11);
    await later();
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "unconfirmed",
      text: "0.16566667 ETH, exactly the amount due, is on its way: 11 of 12 confirmations.",
    });
    await anvil.mine();
    await later();
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "matched",
      text: "0.16566667 ETH, exactly the amount due, has arrived with 12 confirmations.",
      details: {
        network: "Ethereum",
        amount_received: due,
        difference: "0.00000000",
        difference_usd: "0.00",
        confirmations: 12,
        confirmations_needed: 12,
        transactions: [{ id: transaction, explorer: `https://etherscan.io/tx/${transaction}`, amount_received: due }],
        used_by: [],
      },
    });
  });

  it("is short or over by what is missing or too much, in ether and USD", async () => {
    expect(await evidenceOfPaid(destination, "0.16")).toMatchObject({
      verdict: "short",
      text: "0.16000000 ETH, 0.00566667 ETH (17 USD) less than due, has arrived with 12 confirmations.",
      details: { difference: "-0.00566667", difference_usd: "-17.00" },
    });
    expect(await evidenceOfPaid(destination, "0.2")).toMatchObject({ verdict: "over", details: { difference: "0.03433333" } });
    const oneWeiLess = await evidenceOfPaid(destination, "0.165666669999999999");
    expect(oneWeiLess).toMatchObject({ verdict: "short", details: { difference: "-0.00000001" } });
  });

  it("is over when the same sender pays twice", async () => {
    const from = anvil.accounts[3]!;
    const [transaction] = [await anvil.send(destination, due, { from }), await anvil.send(destination, due, { from })];
    await anvil.mine(12);
    const id = await request(transaction);
    await later();
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "over",
      text: expect.stringContaining("0.33133334 ETH in 2 transactions"),
    });
  });

  it("names the address that was paid instead, and warns of contracts", async () => {
    expect(await evidenceOfPaid(other, due)).toMatchObject({
      verdict: "other_destination",
      text: `The transaction pays nothing to the destination: it pays ${other}.`,
      details: { amount_received: null, confirmations: null },
    });
    const called = await evidenceOfPaid(other, due, { data: "0xa9059cbb" });
    expect(called).toMatchObject({ verdict: "other_destination", text: expect.stringContaining("calls a contract") });
  });

  it("is not found when it was made on another chain", async () => {
    const elsewhere = await startAnvil(56);
    const transaction = await elsewhere.send(destination, due);
    await elsewhere.mine(12);
    await elsewhere.stop();
    const id = await request(transaction);
    await lookUpDue(app);
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "not_found",
      text: "Ethereum has no transaction with this reference.",
    });
  });

  it("is not found when it was reverted", async () => {
    // Code that refuses every payment: PUSH1 0, PUSH1 0, REVERT.
    await anvil.rpc("anvil_setCode", destination, "0x60006000fd");
    const evidence = await evidenceOfPaid(destination, due);
    await anvil.rpc("anvil_setCode", destination, "0x");
    expect(evidence).toMatchObject({
      verdict: "not_found",
      text: "The transaction failed on the chain, so nothing arrived.",
    });
  });

  it("is not found once its block is reorganised away, and says that it was seen", async () => {
    const before = await anvil.rpc("evm_snapshot");
    const transaction = await anvil.send(destination, due);
    await anvil.mine(3);
    const id = await request(transaction);
    await lookUpDue(app);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "unconfirmed", details: { confirmations: 3 } });
    await reorganise(before);
    await anvil.mine(5);
    await later();
    expect(await evidenceOf(id)).toMatchObject({ verdict: "not_found", text: expect.stringContaining("is gone") });
  });

  it("is not found when it is older than the quote", async () => {
    const transaction = await anvil.send(destination, due);
    await anvil.mine();
    await later(3 * 3600);
    const id = await request(transaction);
    await lookUpDue(app);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "not_found", text: expect.stringContaining("before the quote") });
  });
});

// CHAIN-4, CHAIN-5
describe("a payment in ether without a reference", () => {
  // A price of their own, so that the amounts of other tests do not count.
  const choice: PaymentChoice = { package_type: "advanced" };
  const amount = "0.33233333";

  it("is found by its exact amount, since the quote", async () => {
    await anvil.send(destination, amount);
    await anvil.mine();
    await later(600);
    const id = await request(null, choice);
    await lookUpDue(app);
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "not_found",
      text: expect.stringContaining("exactly 0.33233333 ETH"),
    });
    await anvil.send(destination, "0.33");
    const transaction = await anvil.send(destination, amount);
    await anvil.mine(12);
    await later();
    expect(await evidenceOf(id)).toMatchObject({ verdict: "matched", details: { transactions: [{ id: transaction }] } });
    await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "Only a test." });
  });

  it("counts one payment for one request while there is another", async () => {
    const [first, second] = [await request(null, choice), await request(null, choice)];
    const sent = [await anvil.send(destination, amount)];
    await anvil.mine(12);
    await later();
    for (const id of [first, second]) {
      expect(await evidenceOf(id)).toMatchObject({
        verdict: "used_before",
        text: expect.stringContaining("The same transaction counts for the request of"),
        details: { used_by: [{ payment_request_id: id === first ? second : first, status: "pending" }] },
      });
    }
    sent.push(await anvil.send(destination, amount, { from: anvil.accounts[1]! }));
    await anvil.mine(12);
    await later();
    const found = await Promise.all([evidenceOf(first), evidenceOf(second)]);
    expect(found.map(({ verdict }) => verdict)).toEqual(["matched", "matched"]);
    expect(new Set(found.map(({ details }) => details.transactions[0].id))).toEqual(new Set(sent));
  });

  it("flags payer and thief alike when the thief names the payer's transaction", async () => {
    const transaction = await anvil.send(destination, due, { from: anvil.accounts[2]! });
    await anvil.mine(12);
    const [payer, thief] = [await request(null), await request(transaction)];
    await later();
    for (const id of [payer, thief]) expect(await evidenceOf(id)).toMatchObject({ verdict: "used_before" });
    await operator.call("POST", `/api/payment-requests/${thief}/reject`, { reason: "Not yours." });
    expect(await evidenceOf(payer)).toMatchObject({ verdict: "matched" });
  });

  it("reads each block once for all requests, and again after a reorganisation", async () => {
    const id = await request(null, { package_type: "starter", coupon_code: "LUNCH" });
    await later();
    const before = await anvil.rpc("evm_snapshot");
    await anvil.mine(3);
    await later();
    await reorganise(before);
    const transaction = await anvil.send(destination, "0.08283333");
    await anvil.mine(12);
    await later();
    expect(await evidenceOf(id)).toMatchObject({ verdict: "matched", details: { transactions: [{ id: transaction }] } });
  });

  // KEEP-1
  describe("of 97 days ago", () => {
    const textOf = async (id: string): Promise<string> => (await evidenceOf(id)).text;
    async function requestOf97DaysAgo(changes = ""): Promise<string> {
      const id = await request(null, { coupon_code: "TEN" });
      await lookUpDue(app);
      await app.sql(`update chain_lookups set since = since - interval '97 days'${changes} where request_id = $1`, [id]);
      await app.sql("update ethereum_destinations set read_since = read_since - interval '97 days'");
      return id;
    }
    beforeAll(() => operator.call("POST", "/api/coupons", { code: "TEN", discount_starter: "10", discount_advanced: "10" }));

    it("is missing since its quote where it was looked for all the time", async () => {
      const id = await requestOf97DaysAgo();
      await later(600);
      const [{ since }] = await app.sql<any>("select since from chain_lookups where request_id = $1", [id]);
      expect(await textOf(id)).toContain(`has arrived since ${minuteText(since.toISOString())}. What a contract`);
    });

    it.each([
      ["the first time", ", facts = null, looked_at = null"],
      ["again after 91 days", ", looked_at = looked_at - interval '91 days'"],
    ])("is not said to be missing before what is kept when it is looked for %s", async (_when, changes) => {
      const id = await requestOf97DaysAgo(changes);
      await later(600);
      const since = minuteText(secondsAfter(app.clock.now(), -90 * 24 * 3600).toISOString());
      const text = `has arrived since ${since}. Earlier transfers are no longer kept.`;
      expect(await textOf(id)).toContain(text);
      await later(600);
      expect(await textOf(id)).toContain(text);
    });
  });
});

// CHAIN-3
it("stops looking once a matching payment is final, or the request is rejected", async () => {
  const transaction = await anvil.send(destination, due, { from: anvil.accounts[4]! });
  await anvil.mine(64);
  const [final, rejected] = [await request(transaction), await request("0x" + "7".repeat(64))];
  await later();
  await operator.call("POST", `/api/payment-requests/${rejected}/reject`, { reason: "Not found." });
  const rows = await app.sql<any>("select next_at from chain_lookups where request_id in ($1, $2)", [final, rejected]);
  expect(rows).toEqual([{ next_at: null }, { next_at: null }]);
  expect(await evidenceOf(final)).toMatchObject({ text: expect.stringContaining("64 or more confirmations") });
});

// CHAIN-4, CHAIN-6
it("says nothing of what is missing while the node has no new blocks", async () => {
  const ids = [await request("0x" + "6".repeat(64)), await request(null, { coupon_code: "LUNCH" })];
  await syncTime();
  await anvil.mine();
  app.clock.advance(620);
  expect(await lookUpDue(app)).toEqual([expect.stringContaining("has no block of the last ten minutes")]);
  operator = await admin(app);
  for (const id of ids) {
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "unavailable",
      text: "The chain service does not have the newest blocks yet.",
    });
  }
  await syncTime();
  await anvil.mine();
  await later(15);
  for (const id of ids) expect(await evidenceOf(id)).toMatchObject({ verdict: "not_found" });
});

it("says that a node of another network is no witness", async () => {
  const wrong = await startAnvil(31337);
  const shop = await startShop({ environment: { ETHEREUM_RPC_URL: wrong.url } });
  const { body } = await pay(await student(shop.app), { crypto_type: "ethereum" });
  expect(await lookUpDue(shop.app)).toEqual([expect.stringContaining("is not on Ethereum's main network")]);
  expect(await chainEvidenceOf(shop.operator, body.id)).toMatchObject({
    verdict: "unavailable",
    text: "The chain service is on another network than the main one.",
  });
  await shop.app.close();
  await wrong.stop();
});
