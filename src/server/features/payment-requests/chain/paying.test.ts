import { describe, expect, it } from "vitest";
import type { ChainFacts } from "#domain/evidence/chain-facts";
import type { Found, PayingTransaction } from "./find-transactions.ts";
import { paymentsInUse, payingTransactions } from "./paying.ts";

const transaction = (id: string, changes: Partial<PayingTransaction> = {}): PayingTransaction => ({
  id,
  received: "1",
  destination: "own",
  sender: `sender of ${id}`,
  block: undefined,
  isReverted: false,
  isContractCall: false,
  elsewhere: [],
  ...changes,
});
const [a, b, c] = [transaction("a"), transaction("b"), transaction("c")];
const again = transaction("again", { sender: a.sender });

const paying = (by: Found["by"], transactions: PayingTransaction[], named: string[] = [], used: string[] = []): string[] =>
  payingTransactions({ by, transactions }, named, new Set(used)).map(({ id }) => id);

// CHAIN-5
describe("the transactions that pay for a request", () => {
  it("are all that arrived at an address of its own, the largest first", () => {
    expect(paying("address", [a, transaction("big", { received: "2" }), transaction("none", { received: "0" })])).toEqual([
      "big",
      "a",
      "none",
    ]);
  });

  it("are by amount the oldest one that counts for no other request, else the oldest", () => {
    expect(paying("amount", [a, b, c], [], ["a"])).toEqual(["b"]);
    expect(paying("amount", [a, b], [], ["a", "b"])).toEqual(["a"]);
    expect(paying("amount", [])).toEqual([]);
  });

  it("are by reference all that were named, also those that count for another", () => {
    expect(paying("reference", [a, b, c], ["a", "b"], ["a", "b"])).toEqual(["a", "b"]);
  });

  it("have a repeated payment of the same sender that counts for no other", () => {
    expect(paying("amount", [a, b, again])).toEqual(["a", "again"]);
    expect(paying("amount", [a, again], [], ["again"])).toEqual(["a"]);
    expect(paying("reference", [a, again], ["a", "again"])).toEqual(["a", "again"]);
    const unknown = [transaction("x", { sender: undefined }), transaction("y", { sender: undefined })];
    expect(paying("amount", unknown)).toEqual(["x"]);
  });
});

describe("the transactions that count for one request alone", () => {
  const rest = transaction("b", { destination: "rest" });
  const facts: ChainFacts = {
    by: "amount",
    since: "2026-11-22T10:30:00.000Z",
    transactions: [a, b, transaction("none", { received: "0" })].map((one) => ({
      ...one,
      confirmations: 1,
      at: "2026-11-22T11:00:00.000Z",
    })),
    gone: [],
  };
  const inUse = (by: Found["by"], named: string[] = []): string[] =>
    paymentsInUse({ by, transactions: [a, rest, c] }, named, facts).map((one) => `${one.transaction_id} at ${one.destination}`);

  it("are all that arrived at its own address", () => expect(inUse("address")).toEqual(["a at own", "b at rest"]));
  it("are by amount the first alone", () => expect(inUse("amount", ["b"])).toEqual(["a at own"]));
  it("are by reference those that were named", () => expect(inUse("reference", ["b", "none"])).toEqual(["b at rest"]));
});
