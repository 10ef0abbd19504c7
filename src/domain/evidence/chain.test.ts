// Over 250 lines: every verdict of one chain, and the rules that hold for any of them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { Coin } from "../payment-methods/settings.ts";
import { chainEvidence, ChainEvidence, chainOff, isFinal, receivedOf, type ChainState, type DuePayment } from "./chain.ts";
import {
  confirmationsFinal,
  confirmationsNeeded,
  maxTransactions,
  type ChainFacts,
  type FoundTransaction,
} from "./chain-facts.ts";
import { isFlagged } from "./evidence.ts";
import { maxOtherRequests, type OtherRequest } from "./shape.ts";

const at = "2026-11-22T12:00:00.000Z";
const due: DuePayment = {
  coin: "bitcoin",
  amount: "0.01104444",
  amountUsd: "497",
  soughtAmount: "0.01104444",
  reference: "a".repeat(64),
};
const arrived: FoundTransaction = {
  id: "a".repeat(64),
  received: "0.01104444",
  confirmations: 3,
  at: "2026-11-22T11:00:00.000Z",
  isReverted: false,
  isContractCall: false,
  elsewhere: [],
};
const facts: ChainFacts = { by: "reference", since: "2026-11-22T10:30:00.000Z", transactions: [arrived], gone: [] };
const lek: OtherRequest = {
  payment_request_id: "00000000-0000-4000-8000-000000000001",
  user_id: "00000000-0000-4000-8000-00000000000a",
  email: "lek@example.com",
  status: "approved",
  created_at: "2026-11-22T10:50:59.000Z",
};

const evidence = (changes: Partial<ChainState> = {}): ChainEvidence =>
  chainEvidence(due, { facts, at, problem: undefined, usedBy: [], ...changes });
const evidenceOf = (...transactions: Partial<FoundTransaction>[]): ChainEvidence =>
  evidence({ facts: { ...facts, transactions: transactions.map((one) => ({ ...arrived, ...one })) } });

// CHAIN-3
describe("a payment that arrived", () => {
  it.each([
    [{}, "matched", "0.01104444 BTC, exactly the amount due, has arrived with 3 confirmations."],
    [{ confirmations: 2 }, "unconfirmed", "0.01104444 BTC, exactly the amount due, is on its way: 2 of 3 confirmations."],
    [{ received: "0.01" }, "short", "0.01000000 BTC, 0.00104444 BTC (47 USD) less than due, has arrived with 3 confirmations."],
    [
      { received: "0.02", confirmations: 6 },
      "over",
      "0.02000000 BTC, 0.00895556 BTC (403 USD) more than due, has arrived with 6 or more confirmations.",
    ],
  ] as const)("%o is %s", (changes, verdict, text) => expect(evidenceOf(changes)).toMatchObject({ verdict, text }));

  it("is the sum of all transactions, confirmed as its last one", () => {
    expect(evidenceOf({ received: "0.01" }, { id: "b".repeat(64), received: "0.00104444", confirmations: 1 })).toMatchObject({
      verdict: "unconfirmed",
      text: "0.01104444 BTC in 2 transactions, exactly the amount due, is on its way: 1 of 3 confirmations.",
      details: { amount_received: "0.01104444", confirmations: 1 },
    });
  });

  it("names another request of the transaction and says what arrived all the same", () => {
    expect(evidence({ usedBy: [lek] })).toMatchObject({
      verdict: "used_before",
      text: "The same transaction counts for the request of lek@example.com (approved, submitted 2026-11-22 10:50 UTC). 0.01104444 BTC, exactly the amount due, has arrived with 3 confirmations.",
      details: { used_by: [lek], amount_received: "0.01104444" },
    });
    expect(evidence({ usedBy: [lek, lek, lek] }).text).toContain(") and 2 more.");
    expect(evidence({ usedBy: [lek, lek, lek, lek] }).text).toContain(") and 3 more.");
    expect(evidence({ usedBy: [lek, lek, lek, lek, lek] }).text).toContain(") and at least 4 more.");
  });

  it("has 20 transactions and 5 other requests at most", () => expect([maxTransactions, maxOtherRequests]).toEqual([20, 5]));

  it("says that another transaction is gone, and lists those that count alone", () => {
    const older = { ...arrived, id: "b", at: "2026-11-22T08:00:00.000Z" };
    expect(evidence({ facts: { ...facts, transactions: [arrived, older], gone: ["c"] } })).toMatchObject({
      text: "0.01104444 BTC, exactly the amount due, has arrived with 3 confirmations. A transaction that was seen before is gone.",
      details: { transactions: [{ id: arrived.id }] },
    });
  });

  it("has no difference in USD where the quote was of nothing", () => {
    const free = chainEvidence({ ...due, amount: "0", amountUsd: "0" }, { facts, at, problem: undefined, usedBy: [] });
    expect(free).toMatchObject({ verdict: "over", details: { difference: "0.01104444", difference_usd: null } });
    expect(free.text).toBe("0.01104444 BTC, 0.01104444 BTC more than due, has arrived with 3 confirmations.");
  });
});

// CHAIN-2, CHAIN-4
describe("nothing that arrived", () => {
  const none = (changes: Partial<ChainFacts>, payment: Partial<DuePayment> = {}): ChainEvidence =>
    chainEvidence(
      { ...due, ...payment },
      { facts: { ...facts, transactions: [], ...changes }, at, problem: undefined, usedBy: [] },
    );

  it.each([
    [{}, {}, "Bitcoin has no transaction with this reference."],
    [{}, { coin: "ethereum" }, "Ethereum has no transaction with this reference."],
    [{ by: "address" }, {}, "Nothing has arrived at the request's own address since 2026-11-22 10:30 UTC."],
    [{ by: "amount" }, { reference: null }, "No payment of exactly 0.01104444 BTC has arrived since 2026-11-22 10:30 UTC."],
    [{ by: "amount" }, { coin: "ethereum" }, "No payment of exactly 0.01104444 ETH has arrived since 2026-11-22 10:30 UTC."],
    [
      { by: "amount" },
      { coin: "ethereum", reference: null },
      "No payment of exactly 0.01104444 ETH has arrived since 2026-11-22 10:30 UTC. What a contract sends, as some exchanges do, is not seen.",
    ],
    [
      { by: "amount", readSince: "2026-11-22T11:00:00.000Z" },
      { coin: "ethereum" },
      "No payment of exactly 0.01104444 ETH has arrived since 2026-11-22 11:00 UTC. Earlier transfers are no longer kept.",
    ],
    [{ gone: ["b"] }, {}, "The transaction was seen before and is gone: replaced, dropped, or its block was reorganised away."],
    [
      { transactions: [{ ...arrived, at: "2026-11-22T08:29:59.000Z" }] },
      {},
      "The transaction is of 2026-11-22 08:29 UTC, before the quote of 2026-11-22 10:30 UTC.",
    ],
    [
      { transactions: [{ ...arrived, received: "0.00000000", isReverted: true }] },
      {},
      "The transaction failed on the chain, so nothing arrived.",
    ],
  ] as [Partial<ChainFacts>, Partial<DuePayment>, string][])("is not found: %o", (changes, payment, text) => {
    expect(none(changes, payment)).toMatchObject({
      verdict: "not_found",
      text,
      details: { amount_received: null, difference: null },
    });
  });

  it("accepts a transaction up to two hours older than the quote", () => {
    expect(none({ transactions: [{ ...arrived, at: "2026-11-22T08:30:00.000Z" }] })).toMatchObject({ verdict: "matched" });
  });

  it("names what was paid instead", () => {
    const elsewhere = { ...arrived, received: "0.00000000", elsewhere: ["bc1qx", "bc1qy"] };
    expect(none({ transactions: [elsewhere] })).toMatchObject({
      verdict: "other_destination",
      text: "The transaction pays nothing to the destination: it pays bc1qx, bc1qy.",
      details: { transactions: [{ explorer: `https://mempool.space/tx/${arrived.id}` }] },
    });
    expect(none({ transactions: [{ ...elsewhere, isContractCall: true }] }).text).toContain("calls a contract");
    const nowhere = none({ transactions: [{ ...elsewhere, elsewhere: [] }] });
    expect(nowhere.text).toBe("The transaction pays nothing to the destination.");
  });
});

// CHAIN-1, CHAIN-6
describe("a chain that cannot be read", () => {
  it("is off, or unavailable with what it said before", () => {
    expect(chainOff(due, at)).toMatchObject({
      verdict: "off",
      text: "The chain was not looked at: no chain service is set up.",
      details: { amount_due: "0.01104444", transactions: [] },
    });
    expect(evidence({ facts: undefined })).toMatchObject({ verdict: "unavailable", text: "The payment is being looked up." });
    expect(evidence({ problem: "overloaded" })).toMatchObject({
      verdict: "unavailable",
      text: "The chain service is asked too often. At 2026-11-22 12:00 UTC it said: 0.01104444 BTC, exactly the amount due, has arrived with 3 confirmations.",
    });
  });

  it.each([
    ["unreachable", "The chain service does not answer."],
    ["wrong_network", "The chain service is on another network than the main one."],
    ["behind", "The chain service does not have the newest blocks yet."],
    ["nonsense", "The chain service answered with something that makes no sense."],
  ] as const)("says what is wrong: %s", (problem, text) => {
    expect(evidence({ facts: undefined, problem })).toMatchObject({ verdict: "unavailable", text });
  });

  it.each([
    [facts, [], "matched", false],
    [{ ...facts, transactions: [{ ...arrived, received: "0.01" }] }, [], "short", true],
    [{ ...facts, transactions: [] }, [], "not_found", true],
    [facts, [lek], "used_before", true],
    [undefined, [], null, false],
  ] as const)("flags what was flagged before: %#", (found, usedBy, last_verdict, isStillFlagged) => {
    const one = evidence({ facts: found as ChainFacts | undefined, usedBy: [...usedBy], problem: "unreachable" });
    expect(one).toMatchObject({ verdict: "unavailable", last_verdict });
    expect(isFlagged(one)).toBe(isStillFlagged);
  });

  it("is not needed for a payment that is final", () => {
    const final = { ...facts, transactions: [{ ...arrived, confirmations: 6 }] };
    expect(evidence({ facts: final, problem: "unreachable" })).toMatchObject({ verdict: "matched", last_verdict: null });
  });
});

const coins = fc.constantFrom<Coin>("bitcoin", "ethereum");
const satoshi = fc.bigInt({ min: 0n, max: 10n ** 12n }).map((units) => {
  const digits = units.toString().padStart(9, "0");
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
});
const transaction: fc.Arbitrary<FoundTransaction> = fc.record({
  id: fc.stringMatching(/^[0-9a-f]{64}$/),
  received: satoshi,
  confirmations: fc.nat(64),
  at: fc.constantFrom(null, arrived.at, "2026-11-22T01:00:00.000Z"),
  isReverted: fc.constant(false),
  isContractCall: fc.boolean(),
  elsewhere: fc.array(fc.string({ maxLength: 10 }), { maxLength: 3 }),
});
const anyFacts: fc.Arbitrary<ChainFacts> = fc.record({
  by: fc.constantFrom("reference", "address", "amount"),
  since: fc.constant(facts.since),
  transactions: fc.array(transaction, { maxLength: 4 }),
  gone: fc.array(fc.constant("b"), { maxLength: 1 }),
});

// CHAIN-3
describe("the verdict of any facts", () => {
  it("fits its schema, and compares what arrived with what is due", () => {
    fc.assert(
      fc.property(coins, satoshi, anyFacts, (coin, amount, found) => {
        const one = chainEvidence({ ...due, coin, amount }, { facts: found, at, problem: undefined, usedBy: [] });
        expect(z.parse(ChainEvidence, one)).toEqual(one);
        const { amount_received: received, difference, confirmations } = one.details;
        const isHere = received !== null;
        expect(isHere).toBe(["matched", "unconfirmed", "short", "over"].includes(one.verdict));
        if (!isHere) return;
        const units = (text: string): bigint => BigInt(text.replace(".", ""));
        expect(units(received)).toBe(units(receivedOf(found)));
        expect(units(difference!)).toBe(units(received) - units(amount));
        const sign = units(difference!) === 0n ? "matched" : units(difference!) < 0n ? "short" : "over";
        expect(one.verdict).toBe(confirmations! < confirmationsNeeded[coin] ? "unconfirmed" : sign);
      }),
    );
  });

  it("is flagged whenever another request has one of its transactions", () => {
    fc.assert(
      fc.property(anyFacts, (found) => {
        const one = chainEvidence(due, { facts: found, at, problem: undefined, usedBy: [lek] });
        expect(isFlagged(one)).toBe(true);
      }),
    );
  });

  it("is final exactly when something arrived and all of it is deep", () => {
    fc.assert(
      fc.property(coins, anyFacts, (coin, found) => {
        const one = chainEvidence({ ...due, coin }, { facts: found, at, problem: undefined, usedBy: [] });
        const { confirmations } = one.details;
        expect(isFinal(coin, found)).toBe(confirmations !== null && confirmations >= confirmationsFinal[coin]);
      }),
    );
  });
});
