// Over 250 lines: which transactions count for whom, of two chains in memory.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { maxTransactions, type FoundTransaction } from "#domain/evidence/chain-facts";
import type { Coin } from "#domain/payment-methods/settings";
import type { BitcoinReader } from "#server/platform/chain/bitcoin";
import { ChainReplyError, type ChainTransaction } from "#server/platform/chain/chain";
import type { EthereumReader } from "#server/platform/chain/ethereum";
import { secondsAfter } from "#server/platform/clock";
import { lockKeys } from "#server/platform/db/locks";
import { transaction } from "#server/platform/db/transaction";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { hash } from "../../../../../tests/support/chains/hash.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { pay } from "../../../../../tests/support/payments.ts";
import { student } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { findById, type PaymentRequestRow } from "../queries.ts";
import { leaseEnd, lookUp, scheduleLookup, type LookupParts } from "./look-up.ts";
import { claimLookup, wakeLookup, type LookupRow } from "./queries.ts";
import { upsertTransfers } from "./scan-queries.ts";

/** 497 USD at 3000 and at 45000. */
const [due, dueInBitcoin] = ["0.16566667", "0.01104444"];
const sender = "0x00000000000000000000000000000000000000cc";
const stranger = "0x00000000000000000000000000000000000000dd";

let app: TestApp;
beforeAll(async () => ({ app } = await startShop()));
afterAll(() => app?.close());
beforeEach(async () => {
  await app.sql("delete from chain_lookups");
  await app.sql("delete from ethereum_transfers");
  await app.sql("delete from ethereum_destinations");
});

const never = (): Promise<never> => Promise.reject(new Error("Nobody asks for this."));

/** Both chains have the transactions with some numbers, 7 by a stranger; `asked` are the ids that they were asked for, `reverted` has numbers too. */
function partsOf(numbers: number[], asked: string[] = [], reverted: number[] = []): LookupParts {
  const block = { at: app.clock.now(), confirmations: 3 };
  const rest = { block, sender, isReverted: false, elsewhere: [], isContractCall: false };
  const findTransaction = (id: string): Promise<ChainTransaction | undefined> => {
    asked.push(id);
    const isThere = numbers.some((number) => hash(number) === id);
    const isReverted = reverted.some((number) => hash(number) === id);
    return Promise.resolve(
      isThere ? { id, received: due, ...rest, isReverted, ...(id === hash(7) && { sender: stranger }) } : undefined,
    );
  };
  const paymentsTo = (): Promise<ChainTransaction[]> =>
    Promise.resolve(numbers.map((number) => ({ id: hash(number), received: dueInBitcoin, ...rest })).toReversed());
  const ethereum: EthereumReader = { findTransaction, tip: never, header: never, block: never };
  const bitcoin: BitcoinReader = { findTransaction, paymentsTo, hasHistory: never };
  return { ...app.deps, chains: { bitcoin: { reader: () => bitcoin }, ethereum: { reader: () => ethereum } } };
}

/** A request with its claimed lookup. */
async function claimed(
  reference: string | null,
  coin: Coin = "ethereum",
): Promise<{ request: PaymentRequestRow; lookup: LookupRow }> {
  const { body } = await pay(await student(app), { crypto_type: coin, extra: { reference } });
  const request = (await findById(app.deps.db, body.id))!;
  await scheduleLookup(app.deps, request, coin);
  return { request, lookup: await claim(request) };
}

async function claim(request: PaymentRequestRow): Promise<LookupRow> {
  return (await claimLookup(app.deps.db, request.id, leaseEnd(app.clock)))!;
}

/** Has every block read for the destination of a lookup. */
async function readBlocksFor({ destination, since }: LookupRow): Promise<void> {
  await app.sql("insert into ethereum_destinations (destination, read_since) values ($1, $2)", [destination, since]);
  await app.sql("update ethereum_scan set tip_at = $1", [app.clock.steady()]);
}

/** Stores transfers of the amount due, a second after each other. */
const transferred = (lookup: LookupRow, numbers: number[]): Promise<void> =>
  upsertTransfers(
    app.deps.db,
    numbers.map((number) => ({
      transaction_id: hash(number),
      destination: lookup.destination,
      sender,
      amount: due,
      at: secondsAfter(lookup.since, number),
    })),
  );

const signal = new AbortController().signal;
const facts = async ({ id }: PaymentRequestRow) =>
  (await app.sql<any>("select facts from chain_lookups where request_id = $1", [id]))[0].facts;
const foundOf = async (request: PaymentRequestRow): Promise<string[]> =>
  (await facts(request)).transactions.map(({ id }: FoundTransaction) => id);
const inUse = async ({ id }: PaymentRequestRow): Promise<string[]> =>
  (await app.sql<any>("select transaction_id from chain_payments where request_id = $1 order by 1", [id])).map(
    (row: any) => row.transaction_id,
  );

// CHAIN-5
describe("what counts for a request", () => {
  it("is the oldest transfer of its amount that no other request uses", async () => {
    const first = await claimed(null);
    await transferred(first.lookup, [1, 2, 3]);
    await lookUp(partsOf([1, 2, 3]), first.lookup, first.request, signal);
    expect(await foundOf(first.request)).toEqual([1, 2, 3].map(hash));
    expect(await inUse(first.request)).toEqual([hash(1)]);

    const second = await claimed(null);
    await transferred(second.lookup, [1, 2, 3]);
    await lookUp(partsOf([1, 2, 3]), second.lookup, second.request, signal);
    expect(await foundOf(second.request)).toEqual([2, 3].map(hash));
    expect(await inUse(second.request)).toEqual([hash(2)]);
  });

  it.each<Coin>(["ethereum", "bitcoin"])("is each one's own of six payments by %s of one amount", async (coin) => {
    const numbers = [1, 2, 3, 4, 5, 6];
    const claims = [];
    for (const _ of numbers) claims.push(await claimed(null, coin));
    await transferred(claims[0]!.lookup, numbers);
    const counted = [];
    for (const { request, lookup } of claims) {
      await lookUp(partsOf(numbers), lookup, request, signal);
      counted.push(...(await inUse(request)));
    }
    expect(counted).toEqual(numbers.map(hash));
  });

  it("is the oldest one also where all count for other requests", async () => {
    for (const number of [1, 2]) {
      const { request, lookup } = await claimed(hash(number));
      await lookUp(partsOf([1, 2]), lookup, request, signal);
    }
    const { request, lookup } = await claimed(null);
    await transferred(lookup, [1, 2]);
    // CHAIN-4: its own may be in a block that is not read yet.
    const wait = { name: "ChainWaitError", retryAfter: 15 };
    await expect(lookUp(partsOf([1, 2]), lookup, request, signal)).rejects.toMatchObject(wait);
    await readBlocksFor(lookup);
    await lookUp(partsOf([1, 2]), lookup, request, signal);
    expect(await inUse(request)).toEqual([hash(1)]);
  });

  // REOPEN-5, KEEP-1
  it("is what an earlier lookup found, although its transfer was deleted meanwhile", async () => {
    const { request, lookup } = await claimed(null);
    await transferred(lookup, [1]);
    await lookUp(partsOf([1]), lookup, request, signal);
    await transferred(lookup, [2]);
    await app.sql("delete from ethereum_transfers where transaction_id = $1", [hash(1)]);
    await lookUp(partsOf([1, 2]), await claim(request), request, signal);
    expect(await foundOf(request)).toEqual([1, 2].map(hash));
    expect(await inUse(request)).toEqual([hash(1)]);

    await lookUp(partsOf([2]), await claim(request), request, signal);
    expect(await facts(request)).toMatchObject({ transactions: [{ id: hash(2) }], gone: [hash(1)] });
  });

  it("is nothing found earlier once it is reverted or another one is named", async () => {
    const { request, lookup } = await claimed(null);
    await transferred(lookup, [1]);
    await lookUp(partsOf([1]), lookup, request, signal);
    const again = await claim(request);
    await lookUp(partsOf([1, 2]), again, { ...request, reference: hash(2) }, signal);
    expect(await foundOf(request)).toEqual([hash(2)]);

    await app.sql("update chain_lookups set facts = $2 where request_id = $1", [request.id, again.facts]);
    await readBlocksFor(lookup);
    await lookUp(partsOf([1], [], [1]), await claim(request), request, signal);
    expect(await foundOf(request)).toEqual([]);
  });

  it("is not what an earlier lookup found by a reference", async () => {
    const { request, lookup } = await claimed(hash(1));
    await readBlocksFor(lookup);
    await lookUp(partsOf([1]), lookup, request, signal);
    await lookUp(partsOf([1]), await claim(request), { ...request, reference: null }, signal);
    expect(await facts(request)).toMatchObject({ by: "amount", transactions: [], gone: [] });
  });

  // CHAIN-4, CHAIN-6
  it("is not missing before the blocks are read, nor while they cannot be read", async () => {
    const { request, lookup } = await claimed(null);
    const wait = { name: "ChainWaitError", retryAfter: 15 };
    await expect(lookUp(partsOf([]), lookup, request, signal)).rejects.toMatchObject(wait);
    expect(await facts(request)).toBeNull();
    await readBlocksFor(lookup);
    const blocksFault = new ChainReplyError("nonsense");
    await expect(lookUp({ ...partsOf([]), blocksFault }, lookup, request, signal)).rejects.toBe(blocksFault);
    await lookUp(partsOf([]), lookup, request, signal);
    expect(await facts(request)).toMatchObject({ by: "amount", transactions: [] });
  });

  it("is decided by one lookup at a time", async () => {
    const first = await claimed(null);
    const second = await claimed(null);
    await transferred(second.lookup, [1, 2]);
    const use = {
      text: `with locked as materialized (select pg_advisory_xact_lock($3))
        insert into chain_payments (request_id, transaction_id, destination) select $1, $2, $4 from locked`,
      values: [first.request.id, hash(1), lockKeys.chainPayments, first.lookup.destination],
    };
    await behindTransaction(app, use, () => lookUp(partsOf([1, 2]), second.lookup, second.request, signal));
    expect(await inUse(second.request)).toEqual([hash(2)]);
  });

  it("is the named transaction alone, whatever its sender paid again", async () => {
    const { request, lookup } = await claimed(hash(2));
    await transferred(lookup, [1, 2, 3]);
    await lookUp(partsOf([1, 2, 3]), lookup, request, signal);
    expect((await foundOf(request)).toSorted()).toEqual([1, 2, 3].map(hash));
    expect(await inUse(request)).toEqual([hash(2)]);
  });

  it("is not what a stranger paid in the same amount", async () => {
    const { request, lookup } = await claimed(null);
    await transferred(lookup, [1, 2, 7]);
    await lookUp(partsOf([1, 2, 7]), lookup, request, signal);
    expect(await foundOf(request)).toEqual([1, 2].map(hash));
  });

  it("is not what the same sender paid for another request", async () => {
    const [first, second] = [await claimed(hash(1)), await claimed(hash(2))];
    await transferred(first.lookup, [1, 2]);
    for (const { request, lookup } of [second, first]) await lookUp(partsOf([1, 2]), lookup, request, signal);
    expect(await foundOf(first.request)).toEqual([hash(1)]);
  });

  it("has a number of transactions at most, of all that arrived at its own address", async () => {
    const { request, lookup: shared } = await claimed(null, "bitcoin");
    const lookup = { ...shared, destination: "own" };
    await app.sql("insert into bitcoin_keys (xpub, next_index) values ('key', 1)");
    await app.sql(
      `insert into bitcoin_addresses (xpub, index, address, user_id, package_type, given_at, held_until)
       values ('key', 0, $1, $2, 'starter', now(), now())`,
      [lookup.destination, request.user_id],
    );
    await lookUp(partsOf(Array.from({ length: maxTransactions + 5 }, (_, index) => index)), lookup, request, signal);
    expect(await foundOf(request)).toHaveLength(maxTransactions);
    await app.sql("delete from bitcoin_addresses");
  });

  it("is not what was found by an attempt that has lost its lease", async () => {
    const { request, lookup } = await claimed(hash(1));
    await claim(request);
    await lookUp(partsOf([1]), lookup, request, signal);
    expect(await facts(request)).toBeNull();
    expect(await inUse(request)).toEqual([]);
  });
});

// CHAIN-2
it("leaves it to the next attempt to store what was found while a rest was sent", async () => {
  const { request, lookup } = await claimed(hash(1));
  const now = app.clock.steady();
  await transaction(app.deps.db, (tx) => wakeLookup(tx, request.id, now));
  await lookUp(partsOf([1]), lookup, request, signal);
  const stored = await app.sql("select facts, next_at from chain_lookups where request_id = $1", [request.id]);
  expect(stored).toEqual([{ facts: null, next_at: now }]);
});

// CHAIN-3
describe("transactions that are gone", () => {
  const seen = (numbers: number[]) => ({
    by: "reference" as const,
    since: app.clock.now().toISOString(),
    transactions: numbers.map((number) => ({
      id: hash(number),
      received: due,
      confirmations: 1,
      at: null,
      isReverted: false,
      isContractCall: false,
      elsewhere: [],
    })),
    gone: [hash(99)],
  });

  it("are those that an earlier lookup saw and the chain no longer has", async () => {
    const asked: string[] = [];
    const { request, lookup } = await claimed(hash(1));
    await lookUp(partsOf([1, 3], asked), { ...lookup, facts: seen([1, 2, 3]) }, request, signal);
    expect((await facts(request)).gone).toEqual([2, 99].map(hash));
    // What was just found is not asked for again.
    expect(asked).toEqual([1, 2, 3, 99].map(hash));
  });

  it("are kept up to a number", async () => {
    const { request, lookup } = await claimed(hash(1));
    const many = Array.from({ length: maxTransactions + 5 }, (_, index) => index + 10);
    await lookUp(partsOf([1]), { ...lookup, facts: seen(many) }, request, signal);
    expect((await facts(request)).gone).toHaveLength(maxTransactions);
  });

  // CHAIN-6
  it("are asked for a few at a time, one after the other", async () => {
    const { request, lookup } = await claimed(hash(1));
    const gone = Array.from({ length: maxTransactions }, (_, index) => hash(index + 10));
    const asked: string[] = [];
    await lookUp(partsOf([1], asked), { ...lookup, facts: { ...seen([]), gone } }, request, signal);
    expect(asked).toEqual([1, 10, 11, 12].map(hash));
    for (let round = 1; round < 7; round += 1) await lookUp(partsOf([1], asked), await claim(request), request, signal);
    expect(asked.filter((id) => id !== hash(1))).toEqual([...gone, gone[0]]);
    expect((await facts(request)).gone.toSorted()).toEqual(gone.toSorted());
  });

  it("are none that the chain has, whatever is no longer stored of it", async () => {
    const { request, lookup } = await claimed(hash(1));
    await lookUp(partsOf([1, 2, 3, 4, 5, 6]), { ...lookup, facts: seen([2, 3, 4, 5, 6]) }, request, signal);
    expect((await facts(request)).gone).toEqual([hash(99)]);
  });

  it("are no longer those that are back on the chain", async () => {
    const { request, lookup } = await claimed(hash(1));
    const many = Array.from({ length: 5 }, (_, index) => index + 10);
    await lookUp(partsOf([1]), { ...lookup, facts: seen(many) }, request, signal);
    for (let round = 0; round < 2; round += 1) await lookUp(partsOf([1, ...many]), await claim(request), request, signal);
    expect((await facts(request)).gone).toEqual([hash(99)]);
  });
});
