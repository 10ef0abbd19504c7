import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BitcoinReader } from "#server/platform/chain/bitcoin";
import type { ChainTransaction } from "#server/platform/chain/chain";
import type { EthereumReader } from "#server/platform/chain/ethereum";
import type { Chains } from "#server/platform/chain/open";
import { secondsAfter } from "#server/platform/clock";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { hash } from "../../../../../tests/support/chains/hash.ts";
import { findTransactions, type Found, type Sought } from "./find-transactions.ts";
import { upsertTransfers, type TransferRow } from "./scan-queries.ts";

const quotedAt = new Date("2026-11-01T12:00:00Z");
const destination = "0x00000000000000000000000000000000000000aa";
const other = "0x00000000000000000000000000000000000000bb";
const sender = "0x00000000000000000000000000000000000000cc";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());
beforeEach(() => app.sql("delete from ethereum_transfers"));

const paid = (id: string, changes: Partial<ChainTransaction> = {}): ChainTransaction => ({
  id,
  received: "0.50000000",
  block: { at: quotedAt, confirmations: 1 },
  isReverted: false,
  sender: undefined,
  elsewhere: [],
  isContractCall: false,
  ...changes,
});

interface Asked {
  address: string;
  since: Date;
}

/** A chain of some transactions; `asked` are the addresses whose payments it was asked for, `paidTo` has those of single addresses. */
function chainOf(
  transactions: ChainTransaction[],
  asked: Asked[] = [],
  paidTo: Record<string, ChainTransaction[]> = {},
): Chains {
  const findTransaction = (id: string): Promise<ChainTransaction | undefined> =>
    Promise.resolve(transactions.find((one) => one.id === id));
  const paymentsTo = (address: string, since: Date): Promise<ChainTransaction[]> => {
    asked.push({ address, since });
    return Promise.resolve(paidTo[address] ?? transactions);
  };
  const never = (): Promise<never> => Promise.reject(new Error("Nobody asks for this."));
  const bitcoin: BitcoinReader = { findTransaction, paymentsTo, hasHistory: never };
  const ethereum: EthereumReader = { findTransaction, tip: never, header: never, block: never };
  return { bitcoin: { reader: () => bitcoin }, ethereum: { reader: () => ethereum } };
}

function find(coin: "bitcoin" | "ethereum", chains: Chains, sought: Partial<Sought>): Promise<Found> {
  const claim = { request_id: randomUUID(), destination, since: quotedAt, amount: "0.5" };
  const whole: Sought = { ...claim, named: [], ownAddresses: [], ...sought };
  return findTransactions(app.deps.db, chains, coin, whole, new AbortController().signal);
}

async function found(coin: "bitcoin" | "ethereum", chains: Chains, sought: Partial<Sought> = {}): Promise<[string, string[]]> {
  const { by, transactions } = await find(coin, chains, sought);
  return [by, transactions.map(({ id }) => id)];
}

// CHAIN-2
describe("the transactions in bitcoin that may pay a request", () => {
  it("are those of the exact amount since the quote, the oldest five first", async () => {
    const asked: Asked[] = [];
    const newestFirst = Array.from({ length: 7 }, (_, index) => paid(`t${6 - index}`));
    const chain = chainOf([paid("less", { received: "0.49999999" }), ...newestFirst], asked);
    expect(await found("bitcoin", chain)).toEqual(["amount", ["t0", "t1", "t2", "t3", "t4"]]);
    expect(asked).toEqual([{ address: destination, since: secondsAfter(quotedAt, -600) }]);
  });

  it("are the named ones where the student names some, and those that exist", async () => {
    const asked: Asked[] = [];
    const named = ["b", "none", "a"].map((id) => ({ id, destination }));
    expect(await found("bitcoin", chainOf([paid("a"), paid("b"), paid("c")], asked), { named })).toEqual([
      "reference",
      ["b", "a"],
    ]);
    expect(asked).toEqual([]);
  });

  it("are all that arrived at an address of its own, in any amount", async () => {
    const asked: Asked[] = [];
    const chain = chainOf([paid("a", { received: "0.1" }), paid("b")], asked);
    const named = [{ id: "c", destination }];
    expect(await found("bitcoin", chain, { ownAddresses: [destination], named })).toEqual(["address", ["a", "b"]]);
    expect(asked).toEqual([{ address: destination, since: secondsAfter(quotedAt, -600) }]);
    expect(await found("bitcoin", chainOf([]), { ownAddresses: [destination] })).toEqual(["address", []]);
    expect(await found("bitcoin", chainOf([]), { ownAddresses: [destination], named })).toEqual(["reference", []]);
  });

  // PART-4
  it("are counted once, with the address of a further part that they arrived at", async () => {
    const chain = chainOf([], [], { [destination]: [paid("a")], [other]: [paid("a"), paid("b")] });
    const { transactions } = await find("bitcoin", chain, { ownAddresses: [destination, other] });
    expect(transactions.map(({ id, restDestination }) => [id, restDestination])).toEqual([
      ["a", undefined],
      ["b", other],
    ]);
  });

  it("are those of the exact amount where only the rest has its own address", async () => {
    const chain = chainOf([], [], { [destination]: [paid("a")], [other]: [] });
    expect(await found("bitcoin", chain, { ownAddresses: [other] })).toEqual(["amount", ["a"]]);
  });

  it("are the named ones too where some arrived at an address of its own", async () => {
    const [first, rest] = [paid("a", { received: "0.1" }), paid("b", { received: "0.4" })];
    const chain = chainOf([first, rest], [], { [destination]: [first] });
    const named = ["a", "b"].map((id) => ({ id, destination: other }));
    expect(await found("bitcoin", chain, { ownAddresses: [destination], named })).toEqual(["address", ["a", "b"]]);
  });
});

// CHAIN-2, CHAIN-4
describe("the transactions in ether that may pay a request", () => {
  const transfer = (number: number, changes: Partial<TransferRow> = {}): TransferRow => ({
    transaction_id: hash(number),
    destination,
    sender,
    amount: "0.5",
    at: secondsAfter(quotedAt, number),
    ...changes,
  });

  it("are transfers of the exact amount to the destination, the oldest five first", async () => {
    const numbers = [9, 3, 8, 4, 7, 5, 6];
    await upsertTransfers(app.deps.db, [
      ...numbers.map((number) => transfer(number)),
      transfer(20, { amount: "0.49999999", at: quotedAt }),
      transfer(21, { destination: other, at: quotedAt }),
    ]);
    const chain = chainOf([...numbers, 20, 21].map((number) => paid(hash(number))));
    expect(await found("ethereum", chain)).toEqual(["amount", [3, 4, 5, 6, 7].map(hash)]);
  });

  it("are no older than half a minute before the quote", async () => {
    await upsertTransfers(app.deps.db, [transfer(1, { at: secondsAfter(quotedAt, -30) })]);
    await upsertTransfers(app.deps.db, [transfer(2, { at: secondsAfter(quotedAt, -31) })]);
    expect(await found("ethereum", chainOf([paid(hash(1)), paid(hash(2))]))).toEqual(["amount", [hash(1)]]);
  });

  it("are those that are still there and were not reverted", async () => {
    await upsertTransfers(app.deps.db, [transfer(1), transfer(2), transfer(3)]);
    const chain = chainOf([paid(hash(2), { isReverted: true }), paid(hash(3))]);
    expect(await found("ethereum", chain)).toEqual(["amount", [hash(3)]]);
  });

  it("are the named ones, then what the same sender paid again", async () => {
    await upsertTransfers(app.deps.db, [
      transfer(1),
      transfer(2),
      transfer(3),
      transfer(4, { sender: other }),
      transfer(5, { amount: "0.6" }),
      transfer(6, { destination: other }),
      transfer(7, { at: secondsAfter(quotedAt, -31) }),
    ]);
    const chain = chainOf([1, 2, 3, 4, 5, 6, 7].map((number) => paid(hash(number), { isReverted: number === 1 })));
    const named = [1, 2].map((number) => ({ id: hash(number), destination }));
    expect(await found("ethereum", chain, { named })).toEqual(["reference", [hash(1), hash(2), hash(3)]]);
  });

  it("are the named ones alone where no transfer of theirs was read", async () => {
    await upsertTransfers(app.deps.db, [transfer(2)]);
    const named = [{ id: hash(1), destination }];
    expect(await found("ethereum", chainOf([paid(hash(1)), paid(hash(2))]), { named })).toEqual(["reference", [hash(1)]]);
  });
});
