// Over 250 lines: each condition of QUOTE-9 is a case, over one shop and one stand-in chain.
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { receiveChain } from "#domain/payment-methods/bitcoin/derive";
import { bip49Key, bip84Key } from "../../../../../tests/support/domain/bitcoin-keys.ts";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { startBitcoinShop, type BitcoinShop } from "../../../../../tests/support/chains/bitcoin-shop.ts";
import type { Esplora } from "../../../../../tests/support/chains/esplora.ts";
import { pay, setUpWallets, uploadScreenshot, type PaymentChoice } from "../../../../../tests/support/payments.ts";
import { admin, signIn, student, type Person } from "../../../../../tests/support/people.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { claimCandidates } from "../../bitcoin-addresses/reuse-queries.ts";
import { addressReuseJobs } from "./job.ts";

let shop: BitcoinShop;
let app: TestApp;
let operator: Person;
let esplora: Esplora;
beforeAll(async () => {
  shop = await startBitcoinShop();
  ({ app, operator, esplora } = shop);
});
afterAll(() => shop?.close());
beforeEach(async () => {
  await app.sql("truncate bitcoin_keys, payment_requests, quotes cascade");
  await app.sql("update chain_services set failures = 0, failing_since = null, problem = null, closed_until = null");
  esplora.instead = undefined;
  forgetChain();
  operator = await admin(app);
  await setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub: bip84Key });
  // No single address of a former test is one of the last 30 days.
  await app.sql("delete from guarded_changes");
});

/** Has something arrive at an address until the chain is forgotten. */
const arrive = (address: string): void => void arrived.push(esplora.pay(address, "0.00000546"));
const arrived: string[] = [];
const forgetChain = (): void => arrived.splice(0).forEach((id) => esplora.drop(id));

const hour = 3600;
const day = 24 * hour;
const addressAt = (index: number): string => receiveChain(bip84Key).addressAt(index);
const newAddress = async (buyer: Person): Promise<string> =>
  (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body.methods[0].wallet_address;
const back = ({ email, password }: Person): Promise<Person> => signIn(app, email, password);

/** Counts as many addresses as given and unused. */
const countUnused = (number: number) => app.sql("update bitcoin_keys set next_index = $1", [number]);

/** Runs the job as a process does by itself; returns the addresses that the chain was asked about. */
async function askChain(processes = 1): Promise<string[]> {
  const before = esplora.asked.length;
  const onError = (): void => {};
  await Promise.all(
    Array.from({ length: processes }, async () => {
      for (const job of addressReuseJobs({ ...app.deps, onError })) {
        await job.run();
        await job.stop();
      }
    }),
  );
  const asked = esplora.asked.slice(before).flatMap((path) => /\/address\/(\w+)$/.exec(path)?.[1] ?? []);
  return asked.toSorted();
}

/** Has a student take the first address, and others enough for a need. */
async function endUnpaid(): Promise<Person> {
  const buyer = await student(app);
  expect(await newAddress(buyer)).toBe(addressAt(0));
  await countUnused(15);
  return buyer;
}

// QUOTE-9
describe("an address whose quote ended unpaid", () => {
  it("is given to another student a week later, when the chain has nothing of it", async () => {
    await endUnpaid();
    app.clock.advance(8 * day);
    expect(await askChain()).toEqual([addressAt(0)]);
    expect(await newAddress(await student(app))).toBe(addressAt(0));
    expect(await newAddress(await student(app))).toBe(addressAt(15));
  });

  it("is not given while it is the settings' single address, nor soon after", async () => {
    await endUnpaid();
    app.clock.advance(8 * day);
    expect(await askChain()).toEqual([addressAt(0)]);
    operator = await admin(app);
    await setUpWallets(operator, { bitcoin_address: addressAt(0), bitcoin_xpub: bip84Key });
    expect(await newAddress(await student(app))).toBe(addressAt(15));
    await setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub: bip84Key });
    expect(await newAddress(await student(app))).toBe(addressAt(16));
  });

  it("is not asked about nor given within a week and the life of a quote", async () => {
    await endUnpaid();
    app.clock.advance(7 * day + hour);
    expect(await askChain()).toEqual([]);
    expect(await newAddress(await student(app))).toBe(addressAt(15));
  });

  it("is not asked about while wallets still look ahead far enough", async () => {
    await endUnpaid();
    await countUnused(14);
    app.clock.advance(8 * day);
    expect(await askChain()).toEqual([]);
  });

  it.each([
    ["arrived in a block", 1],
    ["waits for a block", 0],
  ])("is never given again where a payment %s", async (_what, blocks) => {
    await endUnpaid();
    arrive(addressAt(0));
    esplora.mine(blocks, app.clock.now());
    app.clock.advance(8 * day);
    expect(await askChain()).toEqual([addressAt(0)]);
    expect(await newAddress(await student(app))).toBe(addressAt(15));
    app.clock.advance(day);
    expect(await askChain()).toEqual([]);
  });

  it.each<[string, PaymentChoice]>([
    ["for it", {}],
    ["that was paid otherwise", { crypto_type: "thai_bank" }],
  ])("is never asked about once its quote has a request %s", async (_what, choice) => {
    const request = await pay(await student(app), choice);
    await operator.call("POST", `/api/payment-requests/${request.body.id}/reject`, { reason: "Nothing arrived." });
    await countUnused(20);
    app.clock.advance(8 * day);
    expect(await askChain()).toEqual([]);
  });

  it("is never asked about once a request paid to it whose account is deleted", async () => {
    const buyer = await student(app);
    await pay(buyer);
    await app.sql("delete from accounts where id = $1", [buyer.id]);
    await countUnused(20);
    app.clock.advance(8 * day);
    expect(await askChain()).toEqual([]);
  });

  it("is never asked about once the rest of a payment was to go to it", async () => {
    const buyer = await endUnpaid();
    await pay(await student(app), { crypto_type: "ethereum" });
    const upload = await uploadScreenshot(buyer);
    await app.sql(
      `insert into payment_request_parts
        (payment_request_id, amount_asked, wallet_address, screenshot_url, screenshot_object_id, idempotency_key, submitted_at)
        select id, 1, $1, 'x', $2, 'x', now() from payment_requests`,
      [addressAt(0), upload],
    );
    await countUnused(20);
    app.clock.advance(8 * day);
    expect(await askChain()).toEqual([]);
  });

  it("is never asked about once a late payer names it", async () => {
    const buyer = await student(app);
    const { id } = (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body;
    expect((await pay(buyer, { extra: { paid_quote_id: id } })).body.wallet_address).toBe(addressAt(1));
    await app.sql(
      "update payment_requests set status = 'rejected', decided_at = now(), decided_by = 'x', rejection_reason = 'x'",
    );
    await countUnused(20);
    app.clock.advance(8 * day);
    expect(await askChain()).toEqual([]);
  });

  it("cannot be named any more by the student who had it", async () => {
    const buyer = await student(app);
    const { id } = (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body;
    app.clock.advance(8 * day);
    await countUnused(15);
    await askChain();
    expect(await newAddress(await student(app))).toBe(addressAt(0));
    const late = await pay(await back(buyer), { extra: { paid_quote_id: id } });
    expect(late.body.code).toBe("quote_not_found");
  });

  it("is not given an hour after the chain was asked, and then asked about again", async () => {
    await endUnpaid();
    app.clock.advance(8 * day);
    await askChain();
    app.clock.advance(hour + 1);
    expect(await newAddress(await student(app))).toBe(addressAt(15));
    expect(await askChain()).toEqual([addressAt(0)]);
    expect(await newAddress(await student(app))).toBe(addressAt(0));
  });

  it("is not given nor asked about for another key than its own", async () => {
    await endUnpaid();
    app.clock.advance(8 * day);
    await askChain();
    operator = await admin(app);
    await setUpWallets(operator, { bitcoin_address: "", bitcoin_xpub: bip49Key });
    expect(await newAddress(await student(app))).toBe(receiveChain(bip49Key).addressAt(0));
    await app.sql("update bitcoin_keys set next_index = 15");
    app.clock.advance(hour);
    expect(await askChain()).toEqual([]);
  });
});

describe("free addresses while the chain service fails", () => {
  it("are not found, and are once it works again", async () => {
    await endUnpaid();
    app.clock.advance(8 * day);
    esplora.instead = (_incoming, reply) => void reply.writeHead(502).end();
    await askChain();
    expect(await newAddress(await student(app))).toBe(addressAt(15));
    esplora.instead = undefined;
    expect(await askChain()).toEqual([]);
    app.clock.advance(60);
    expect(await askChain()).toEqual([addressAt(0)]);
    expect(await newAddress(await student(app))).toBe(addressAt(0));
  });

  it("are not given where they were found before", async () => {
    await endUnpaid();
    app.clock.advance(8 * day);
    await askChain();
    await app.sql("update chain_services set failing_since = now(), problem = 'unreachable' where coin = 'bitcoin'");
    expect(await newAddress(await student(app))).toBe(addressAt(15));
  });

  it("are found beside one whose reply makes no sense", async () => {
    await endUnpaid();
    await countUnused(1);
    await newAddress(await student(app));
    await countUnused(15);
    app.clock.advance(8 * day);
    esplora.instead = (_incoming, reply) => void reply.end("{}");
    expect(await askChain()).toHaveLength(1);
    esplora.instead = undefined;
    expect(await askChain()).toEqual([addressAt(1)]);
  });
});

describe("free addresses in a race", () => {
  it("go to one of two quotes at once", async () => {
    await endUnpaid();
    app.clock.advance(8 * day);
    await askChain();
    const buyers = await Promise.all([student(app), student(app)]);
    const addresses = await Promise.all(buyers.map(newAddress));
    expect(addresses.toSorted()).toEqual([addressAt(0), addressAt(15)].toSorted());
  });

  it("go to their former student or to another one, never to both", async () => {
    const buyer = await endUnpaid();
    app.clock.advance(8 * day);
    await askChain();
    const both = await Promise.all([newAddress(await back(buyer)), newAddress(await student(app))]);
    expect(both.toSorted()).toEqual([addressAt(0), addressAt(15)].toSorted());
  });

  it("are asked about once by four processes, five at most", async () => {
    const buyers = await Promise.all(Array.from({ length: 7 }, () => student(app)));
    for (const buyer of buyers) await newAddress(buyer);
    await countUnused(20);
    app.clock.advance(8 * day);
    expect(await askChain(4)).toEqual([0, 1, 2, 3, 4].map(addressAt).toSorted());
    expect(await askChain()).toEqual([]);
  });

  it("are five at most, also where the database repeats its search", async () => {
    for (let number = 0; number < 7; number += 1) await newAddress(await student(app));
    app.clock.advance(8 * day);
    const now = app.clock.now();
    const picked = await transaction(app.deps.db, async (tx) => {
      for (const way of ["hashjoin", "mergejoin", "hashagg", "sort", "material", "bitmapscan"])
        await tx.execute(`set local enable_${way} = off`);
      return claimCandidates(tx, bip84Key, { endedBefore: now, askedSince: now, now, stock: 5 });
    });
    expect(picked).toHaveLength(5);
  });
});

it("never lets two open quotes or any requests of two students share an address", async () => {
  type Step = "quote" | "pay" | "arrive" | "wait" | "ask";
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant<Step>("quote") },
    ...(["pay", "arrive", "wait", "ask"] as const).map((name) => ({ weight: 1, arbitrary: fc.constant<Step>(name) })),
  );
  let reused = 0;
  const scenario = async (steps: Step[]): Promise<void> => {
    await app.sql("truncate bitcoin_keys, payment_requests, quotes cascade");
    forgetChain();
    const given = new Set<string>();
    const buyers: Person[] = [];
    for (const name of ["quote", "quote", "wait", "ask", "quote", ...steps]) {
      if (name === "quote") {
        buyers.push(await student(app));
        const address = await newAddress(buyers.at(-1)!);
        reused += given.has(address) ? 1 : 0;
        given.add(address);
        await app.sql("update bitcoin_keys set next_index = greatest(next_index, 15)");
      } else if (name === "pay") await pay(await back(buyers[0]!));
      else if (name === "arrive") arrive([...given].at(-1)!);
      else if (name === "wait") app.clock.advance(8 * day);
      else await askChain();
      const shared = await app.sql(
        `select address from (
          select user_id, methods -> 0 ->> 'wallet_address' as address from quotes where expires_at > $1
          union select user_id, wallet_address from payment_requests
        ) as used group by address having count(distinct user_id) > 1`,
        [app.clock.now()],
      );
      expect(shared).toEqual([]);
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 10 }), scenario), { numRuns: 5 });
  expect(reused).toBeGreaterThan(0);
});
