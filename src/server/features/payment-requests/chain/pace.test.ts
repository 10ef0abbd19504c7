import { describe, expect, it } from "vitest";
import type { DuePayment } from "#domain/evidence/chain";
import type { ChainFacts, FoundTransaction } from "#domain/evidence/chain-facts";
import { secondsToNextLookup } from "./pace.ts";

const hour = 3600;
const day = 24 * hour;
const quotedAt = "2026-11-01T12:00:00.000Z";

const due = (coin: DuePayment["coin"]): DuePayment => ({
  coin,
  amount: "0.5",
  amountUsd: "497",
  soughtAmount: "0.5",
  reference: null,
});

const found = (transaction: Partial<FoundTransaction>): FoundTransaction => ({
  id: "one",
  received: "0.50000000",
  confirmations: 0,
  at: quotedAt,
  isReverted: false,
  isContractCall: false,
  elsewhere: [],
  ...transaction,
});

function next(
  coin: DuePayment["coin"],
  transactions: Partial<FoundTransaction>[],
  {
    status = "pending",
    ageSeconds = 0,
    isOthers = false,
  }: { status?: "pending" | "approved" | "rejected"; ageSeconds?: number; isOthers?: boolean } = {},
): number | undefined {
  const facts: ChainFacts = { by: "reference", since: quotedAt, transactions: transactions.map(found), gone: [] };
  return secondsToNextLookup(due(coin), facts, { status, ageSeconds, isOthers });
}

// CHAIN-3
describe("seconds until a request is looked up again", () => {
  it.each([
    [0, 120, 60],
    [hour - 1, 120, 60],
    [hour, 600, 600],
    [day - 1, 600, 600],
    [day, hour, hour],
    [7 * day - 1, hour, hour],
    [7 * day, 6 * hour, 6 * hour],
  ])("grow with the age of a request that nothing pays: after %d s", (ageSeconds, bitcoin, ethereum) => {
    expect(next("bitcoin", [], { ageSeconds })).toBe(bitcoin);
    expect(next("ethereum", [], { ageSeconds })).toBe(ethereum);
  });

  it("are those of a new block while a payment becomes final", () => {
    for (const ageSeconds of [0, 30 * day]) {
      expect(next("bitcoin", [{ confirmations: 1 }], { ageSeconds })).toBe(600);
      expect(next("bitcoin", [{ confirmations: 5 }], { ageSeconds })).toBe(600);
      expect(next("ethereum", [{ confirmations: 63 }], { ageSeconds })).toBe(60);
      expect(next("bitcoin", [{ confirmations: 3 }, { id: "two", confirmations: 0 }], { ageSeconds })).toBe(600);
    }
  });

  it("wait for a block as for a payment that was not made", () => {
    expect(next("bitcoin", [{ confirmations: 0, at: null }])).toBe(120);
    expect(next("bitcoin", [{ confirmations: 0, at: null }], { ageSeconds: day })).toBe(hour);
  });

  it("take no account of a transaction that pays somebody else", () => {
    expect(next("bitcoin", [{ confirmations: 2, received: "0" }], { ageSeconds: 2 * day })).toBe(hour);
  });

  it("end with an exact final payment, and go on hourly while it is short or over", () => {
    expect(next("bitcoin", [{ confirmations: 6 }])).toBeUndefined();
    expect(next("ethereum", [{ confirmations: 64 }])).toBeUndefined();
    for (const received of ["0.49999999", "0.50000001"]) {
      expect(next("bitcoin", [{ confirmations: 6, received }])).toBe(hour);
      expect(next("bitcoin", [{ confirmations: 6, received }], { status: "approved" })).toBeUndefined();
    }
  });

  // CHAIN-5
  it("go on hourly while a pending request has found another's payment alone", () => {
    const payment = { confirmations: 64 };
    for (const coin of ["bitcoin", "ethereum"] as const) {
      expect(next(coin, [payment], { isOthers: true, ageSeconds: 30 * day })).toBe(hour);
      expect(next(coin, [payment], { isOthers: true, status: "approved" })).toBeUndefined();
    }
    expect(next("bitcoin", [{ confirmations: 1 }], { isOthers: true })).toBe(600);
  });

  it("end where nothing pays an approved request for 90 days", () => {
    for (const transactions of [[], [{ confirmations: 0, at: null }], [{ confirmations: 9, received: "0" }]]) {
      expect(next("ethereum", transactions, { status: "approved", ageSeconds: 90 * day - 1 })).toBe(6 * hour);
      expect(next("ethereum", transactions, { status: "approved", ageSeconds: 90 * day })).toBeUndefined();
      expect(next("ethereum", transactions, { ageSeconds: 90 * day })).toBe(6 * hour);
    }
    expect(next("ethereum", [{ confirmations: 1 }], { status: "approved", ageSeconds: 90 * day })).toBe(60);
  });

  it("end with a rejection, and go on after an approval until the payment is final", () => {
    expect(next("bitcoin", [{ confirmations: 3 }], { status: "rejected" })).toBeUndefined();
    expect(next("bitcoin", [], { status: "rejected" })).toBeUndefined();
    expect(next("bitcoin", [{ confirmations: 3 }], { status: "approved" })).toBe(600);
  });
});
