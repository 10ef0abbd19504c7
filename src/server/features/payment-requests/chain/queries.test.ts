// Over 250 lines: since when, what is due and what others use are asked of the same requests.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { hash } from "../../../../../tests/support/chains/hash.ts";
import { withoutIndexes } from "../../../../../tests/support/database/without-indexes.ts";
import { pay, setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import {
  claimDueLookup,
  claimLookup,
  findAllLookups,
  findAllUsed,
  findAllUses,
  findLookupStart,
  findNeverLookedUp,
  insertLookup,
  replacePayments,
} from "./queries.ts";
import { findAllAwaited, findAllRepeated, findAllTransfers, upsertTransfers, type TransferRow } from "./scan-queries.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const request = async (crypto_type: "bitcoin" | "ethereum"): Promise<string> =>
  (await pay(await student(app), { crypto_type })).body.id;

/** Stores a lookup that is due now, after one attempt. */
const lookedUp = (id: string, coin: string) =>
  app.sql(
    "insert into chain_lookups select id, $2, wallet_address, created_at, null, null, 0, 1, $3 from payment_requests where id = $1",
    [id, coin, app.clock.steady()],
  );

// CHAIN-2
it("finds the oldest pending request of a coin that was never looked up", async () => {
  const [ether, decided, newer, older] = [
    await request("ethereum"),
    await request("bitcoin"),
    await request("bitcoin"),
    await request("bitcoin"),
  ];
  await operator.call("POST", `/api/payment-requests/${decided}/approve`);
  await app.sql("update payment_requests set created_at = created_at - interval '1 minute' where id = $1", [older]);
  expect(await withoutIndexes(app, (tx) => findNeverLookedUp(tx, "bitcoin"))).toBe(older);
  expect(await findNeverLookedUp(app.deps.db, "ethereum")).toBe(ether);
  for (const id of [older, newer]) await lookedUp(id, "bitcoin");
  expect(await findNeverLookedUp(app.deps.db, "bitcoin")).toBeUndefined();
});

// CHAIN-4, QUOTE-6
describe("the time since when a payment is looked for", () => {
  /** A quote of some seconds ago. */
  async function quotedBefore(buyer: Person, seconds: number): Promise<{ id: string; created_at: Date }> {
    const { body } = await buyer.call("POST", "/api/quotes", { package_type: "starter" });
    await age(body.id, seconds);
    return { id: body.id, created_at: secondsAfter(new Date(body.created_at), -seconds) };
  }
  const age = (id: string, seconds: number) =>
    app.sql("update quotes set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval where id = $1", [
      id,
      `${seconds} seconds`,
    ]);
  const payEther = async (buyer: Person, extra = {}): Promise<string> =>
    (await pay(buyer, { crypto_type: "ethereum", extra })).body.id;
  const start = (id: string): Promise<Date> => findLookupStart(app.deps.db, id, []);

  it("is that of the student's first quote with the same figures", async () => {
    const buyer = await student(app);
    await quotedBefore(await student(app), 7000);
    const [first, second] = [await quotedBefore(buyer, 6000), await quotedBefore(buyer, 3000)];
    const id = await payEther(buyer);
    expect(await start(id)).toEqual(first.created_at);
    await age(first.id, 7 * 24 * 3600);
    expect(await start(id)).toEqual(second.created_at);
  });

  // QUOTE-7
  it("is that of the first quote of any amount where the address is one's own", async () => {
    const buyer = await student(app);
    const first = await quotedBefore(buyer, 6000);
    await setUpWallets(operator, { ethereum_price_usd: "4000" });
    const second = await quotedBefore(buyer, 3000);
    const id = await payEther(buyer);
    await setUpWallets(operator);
    const since = (...own: string[]): Promise<Date> => findLookupStart(app.deps.db, id, own);
    const shared = [await since(), await since("another")];
    expect([...shared, await since(walletForm.ethereum_address)]).toEqual([
      second.created_at,
      second.created_at,
      first.created_at,
    ]);
  });

  it("goes back to quotes of one day at most for ether without a reference", async () => {
    const [unnamed, named, late] = [await student(app), await student(app), await student(app)];
    const days = (count: number): number => count * 24 * 3600;
    await quotedBefore(unnamed, days(5));
    const recent = await quotedBefore(unnamed, days(1));
    expect(await start(await payEther(unnamed))).toEqual(recent.created_at);
    const old = await quotedBefore(named, days(5));
    expect(await start(await payEther(named, { reference: hash(1) }))).toEqual(old.created_at);
    await quotedBefore(late, days(5));
    const [first, claimed] = [await quotedBefore(late, days(4)), await quotedBefore(late, days(3))];
    await setUpWallets(operator, { ethereum_price_usd: "4000" });
    expect(await start(await payEther(late, { paid_quote_id: claimed.id }))).toEqual(first.created_at);
    await setUpWallets(operator);
  });

  it("is that of the first quote with the figures that a late payer claims", async () => {
    const buyer = await student(app);
    const first = await quotedBefore(buyer, 6000);
    const claimed = await quotedBefore(buyer, 3000);
    await setUpWallets(operator, { ethereum_price_usd: "4000" });
    await quotedBefore(buyer, 9000);
    expect(await start(await payEther(buyer, { paid_quote_id: claimed.id }))).toEqual(first.created_at);
    await setUpWallets(operator);
  });

  it("is half an hour before the request for a claimed quote of a clock ahead", async () => {
    const [buyer, earlier] = [await student(app), await student(app)];
    const ahead = -3 * 24 * 3600;
    const first = await quotedBefore(earlier, 6000);
    const claimed = [await quotedBefore(buyer, ahead), await quotedBefore(earlier, ahead)];
    await setUpWallets(operator, { ethereum_price_usd: "4000" });
    expect(await start(await payEther(buyer, { paid_quote_id: claimed[0]!.id }))).toEqual(secondsAfter(app.clock.now(), -1800));
    expect(await start(await payEther(earlier, { paid_quote_id: claimed[1]!.id }))).toEqual(first.created_at);
    await setUpWallets(operator);
  });

  it("stays that of a rejected request whose quotes are deleted by now", async () => {
    const buyer = await student(app);
    const first = await quotedBefore(buyer, 6000);
    const rejected = await payEther(buyer);
    const [since, next_at] = [await start(rejected), app.clock.steady()];
    await insertLookup(app.deps.db, { request_id: rejected, coin: "ethereum", destination: "0xaa", since, next_at });
    await operator.call("POST", `/api/payment-requests/${rejected}/reject`, { reason: "Nothing has arrived" });
    await app.sql("delete from quotes where id = $1", [first.id]);
    const { body } = await buyer.call(
      "POST",
      `/api/payment-requests/${rejected}/resubmit`,
      {},
      { "idempotency-key": randomUUID() },
    );
    expect(await start(body.id)).toEqual(first.created_at);
  });
});

it("claims what is due of its coin, and counts the attempts", async () => {
  const { db, clock } = app.deps;
  await app.sql("delete from chain_lookups");
  const [ether, bitcoin] = [await request("ethereum"), await request("bitcoin")];
  await lookedUp(ether, "ethereum");
  await lookedUp(bitcoin, "bitcoin");
  const at = { now: clock.steady(), leaseEnd: clock.steady() };
  expect(await claimDueLookup(db, "bitcoin", at)).toMatchObject({ request_id: bitcoin, attempts: 2 });
  expect(await claimDueLookup(db, "ethereum", at)).toMatchObject({ request_id: ether, attempts: 2 });
  expect(await claimLookup(db, ether, at.leaseEnd)).toMatchObject({ request_id: ether, attempts: 3 });
});

// CHAIN-3
it("claims and awaits no payment of a rejected request until it is reopened", async () => {
  const { db, clock } = app.deps;
  await app.sql("delete from chain_lookups");
  const rejected = await request("ethereum");
  await operator.call("POST", `/api/payment-requests/${rejected}/reject`, { reason: "Nothing has arrived" });
  await lookedUp(rejected, "ethereum");
  const claim = () => claimDueLookup(db, "ethereum", { now: clock.steady(), leaseEnd: clock.steady() });
  expect([await claim(), await findAllAwaited(db, clock.now())]).toEqual([undefined, []]);
  await operator.call("POST", `/api/payment-requests/${rejected}/reopen`, { reason: "It has arrived" });
  expect(await claim()).toMatchObject({ request_id: rejected });
  expect(await findAllAwaited(db, clock.now())).toHaveLength(1);
});

// CHAIN-4
it("awaits payments of ether that are still looked for", async () => {
  const { db, clock } = app.deps;
  await app.sql("delete from chain_lookups");
  await lookedUp(await request("bitcoin"), "bitcoin");
  const finished = await request("ethereum");
  await lookedUp(finished, "ethereum");
  await app.sql("update chain_lookups set next_at = null where request_id = $1", [finished]);
  const longAgo = secondsAfter(clock.now(), -3600);
  expect(await findAllAwaited(db, longAgo)).toEqual([]);
  await lookedUp(await request("ethereum"), "ethereum");
  const [awaited, ...others] = await findAllAwaited(db, longAgo);
  expect([awaited?.destination, others]).toEqual([walletForm.ethereum_address, []]);
});

it("awaits payments that repeat a named one since a day before the submit at most", async () => {
  const { db, clock } = app.deps;
  await app.sql("delete from chain_lookups");
  const days = (count: number): Date => secondsAfter(clock.now(), -count * 24 * 3600);
  const named = (await pay(await student(app), { crypto_type: "ethereum", extra: { reference: "0x" + "7".repeat(64) } })).body
    .id;
  const since = async () => (await findAllAwaited(db, days(90)))[0]?.since;
  await lookedUp(named, "ethereum");
  expect(await since()).toEqual(clock.now());
  await app.sql("update chain_lookups set since = $1", [days(80)]);
  expect(await since()).toEqual(days(1));
  const unnamed = await request("ethereum");
  await lookedUp(unnamed, "ethereum");
  expect(await since()).toEqual(days(1));
  await app.sql("update chain_lookups set since = $2 where request_id = $1", [unnamed, days(3)]);
  expect(await since()).toEqual(days(3));
});

it("finds the oldest transfers of an amount, and the sender's others, up to a limit", async () => {
  const { db, clock } = app.deps;
  const since = clock.now();
  const same = { destination: "0xaa", sender: "0xcc", amount: "0.5" };
  const at = (number: number): Date => secondsAfter(since, number === 3 ? 2 : 1);
  const transfers = [3, 2, 1].map((number) => ({ ...same, transaction_id: hash(number), at: at(number) }));
  await upsertTransfers(db, transfers);
  const numbersOf = (rows: TransferRow[]): string[] => rows.map(({ transaction_id }) => transaction_id);
  const wanted = { destination: "0xaa", amount: "0.5", since };
  expect(numbersOf(await withoutIndexes(app, (tx) => findAllTransfers(tx, wanted, 2)))).toEqual([1, 2].map(hash));
  const repeated = numbersOf(await findAllRepeated(db, hash(1), since, 5));
  expect(repeated.toSorted()).toEqual([2, 3].map(hash).toSorted());
  expect(await findAllRepeated(db, hash(1), since, 1)).toHaveLength(1);
});

// CHAIN-5
it("names the transactions that other requests use at the destination", async () => {
  const { db } = app.deps;
  await app.sql("delete from chain_lookups");
  const [own, other, rejected] = [await request("bitcoin"), await request("bitcoin"), await request("bitcoin")];
  for (const id of [own, other, rejected]) await lookedUp(id, "bitcoin");
  await operator.call("POST", `/api/payment-requests/${rejected}/reject`, { reason: "Nothing has arrived" });
  for (const [id, ids] of [
    [own, [1]],
    [other, [2, 3]],
    [rejected, [4]],
  ] as const) {
    const payments = ids.map((number) => ({ transaction_id: hash(number), destination: number === 3 ? "rest" : "own" }));
    await transaction(db, (tx) => replacePayments(tx, id, payments));
  }
  const used = async (destination: string): Promise<string[]> => [
    ...(await findAllUsed(db, { request_id: own, destination }, [1, 2, 3, 4].map(hash))),
  ];
  expect(await used("own")).toEqual([hash(2)]);
  expect(await used("rest")).toEqual([hash(3)]);
});

it("names the requests whose transactions count for others too, the oldest first", async () => {
  const { db } = app.deps;
  await app.sql("delete from chain_lookups");
  const [own, newer, older, elsewhere] = [
    await request("bitcoin"),
    await request("bitcoin"),
    await request("bitcoin"),
    await request("bitcoin"),
  ];
  await app.sql("update payment_requests set created_at = created_at - interval '1 minute' where id = $1", [older]);
  for (const id of [own, newer, older, elsewhere]) {
    await lookedUp(id, "bitcoin");
    const destination = id === elsewhere ? "elsewhere" : "own";
    await transaction(db, (tx) => replacePayments(tx, id, [{ transaction_id: hash(1), destination }]));
  }
  expect((await findAllLookups(db, [own])).map(({ request_id }) => request_id)).toEqual([own]);
  const uses = async () => (await findAllUses(db, [own])).map(({ id, payment_request_id }) => [id, payment_request_id]);
  const oldestFirst = [
    [own, older],
    [own, newer],
  ];
  expect(await uses()).toEqual(oldestFirst);
  await app.sql("update payment_requests set created_at = created_at - interval '2 minutes' where id = $1", [newer]);
  expect(await uses()).toEqual(oldestFirst.toReversed());
});
