import type { Coin } from "../payment-methods/settings.ts";

/** Blocks that confirm a payment before it counts as arrived, its own included (CHAIN-3). */
export const confirmationsNeeded: Record<Coin, number> = { bitcoin: 3, ethereum: 12 };

/** Blocks after which a payment is final: further ones are neither counted nor looked for (CHAIN-3). */
export const confirmationsFinal: Record<Coin, number> = { bitcoin: 6, ethereum: 64 };

/** A transaction that counts for a request, or that its student named. */
export interface FoundTransaction {
  id: string;
  /** What reached the destination: a decimal of the coin with 8 places. */
  received: string;
  /** 0 until it is in a block; at most `confirmationsFinal`. */
  confirmations: number;
  /** The time of its block, ISO 8601. */
  at: string | null;
  isReverted: boolean;
  isContractCall: boolean;
  /** Some addresses that it pays where nothing is for the destination. */
  elsewhere: string[];
  /** Where it arrived, if that is an address that the request has for its rest (PART-4). */
  restDestination?: string | undefined;
}

/** What a lookup found. */
export interface ChainFacts {
  /** By the typed reference, by an address that only this request has, or by address, amount and time. */
  by: "reference" | "address" | "amount";
  /** The time of the first quote with the figures, ISO 8601. */
  since: string;
  /** Since when blocks were read without a gap, where that is later than the quote (KEEP-1). ISO 8601. */
  readSince?: string | undefined;
  transactions: FoundTransaction[];
  /** Transactions that an earlier lookup found and that are gone from the chain. */
  gone: string[];
}

/** What a lookup sees is cut off here, so that dust cannot fill the database. */
export const maxTransactions = 20;

/** Seconds that a typed transaction may be older than the quote, since the clocks of miners are not exact. */
const oldestSeconds = 2 * 3600;

/** Returns whether a transaction was in a block before the quote was made, so that it cannot be a payment for it (CHAIN-4). */
export function isOlderThanQuote({ at }: FoundTransaction, { since }: ChainFacts): boolean {
  // Stryker disable next-line LeftOperand: a time that is null is no number, and less than none.
  return at !== null && Date.parse(at) < Date.parse(since) - oldestSeconds * 1000;
}

/** Returns the transactions that count as received. */
export function countedTransactions(facts: ChainFacts): FoundTransaction[] {
  return facts.transactions.filter((one) => Number(one.received) > 0 && !isOlderThanQuote(one, facts));
}
