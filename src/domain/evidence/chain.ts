import * as z from "zod/mini";
import { amount, timestamp } from "../api/fields.ts";
import { canonical, decimal, rounded, usdText, type Decimal } from "../money.ts";
import { amountText, paymentMethod } from "../payment-methods/methods.ts";
import type { Coin } from "../payment-methods/settings.ts";
import {
  confirmationsFinal,
  confirmationsNeeded,
  countedTransactions,
  isOlderThanQuote,
  type ChainFacts,
  type FoundTransaction,
} from "./chain-facts.ts";
import { minuteText } from "../texts/minute-text.ts";
import { besideFirst, evidenceSchema, OtherRequest } from "./shape.ts";

const chainVerdicts = [
  "matched",
  "unconfirmed",
  "short",
  "over",
  "not_found",
  "other_destination",
  "used_before",
  "unavailable",
  "off",
] as const;
export type ChainVerdict = (typeof chainVerdicts)[number];

export const flaggedChainVerdicts: readonly ChainVerdict[] = ["short", "over", "not_found", "other_destination", "used_before"];

const Transaction = z.object({
  id: z.string(),
  explorer: z.string(),
  amount_received: amount,
  confirmations: z.number(),
  block_time: z.nullable(timestamp),
});

/** Amounts are decimals of the coin; they and the confirmations are null where nothing arrived. */
const Details = z.object({
  network: z.string(),
  amount_due: amount,
  amount_received: z.nullable(amount),
  /** Received minus due. */
  difference: z.nullable(amount),
  /** The same in USD at the price of the quote. */
  difference_usd: z.nullable(amount),
  confirmations: z.nullable(z.number()),
  confirmations_needed: z.number(),
  transactions: z.array(Transaction),
  /** Other open or approved requests for which one of the transactions counts. */
  used_by: z.array(OtherRequest),
});

/** What the method's chain says of the payment. */
export const ChainEvidence = z.extend(evidenceSchema("chain", chainVerdicts, Details), {
  /** What was known before the service failed; null where the verdict is not `unavailable`, or nothing was known (CHAIN-6). */
  last_verdict: z.nullable(z.enum(chainVerdicts)),
});
export type ChainEvidence = z.infer<typeof ChainEvidence>;

/** Returns the verdict that counts: while the service fails, the one before (CHAIN-6). */
export function lastKnownVerdict({ verdict, last_verdict }: ChainEvidence): ChainVerdict {
  return last_verdict ?? verdict;
}

/** What should have been paid. */
export interface DuePayment {
  coin: Coin;
  /** Decimal strings. */
  amount: string;
  amountUsd: string;
  /** What a payment without a reference is found by. */
  soughtAmount: string;
  reference: string | null;
}

/** What the server has of a request's chain. */
export interface ChainState {
  /** Undefined until the first lookup has ended. */
  facts: ChainFacts | undefined;
  /** When `facts` were found, else the time now. ISO 8601. */
  at: string;
  /** Why nothing newer is known; undefined when the last lookup succeeded. */
  problem: "unreachable" | "overloaded" | "wrong_network" | "behind" | "nonsense" | "waiting" | undefined;
  usedBy: OtherRequest[];
}

interface Finding {
  verdict: ChainVerdict;
  text: string;
}

/** Returns the evidence where no service of the coin's chain is set up (CHAIN-1). */
export function chainOff(due: DuePayment, at: string): ChainEvidence {
  const text = "The chain was not looked at: no chain service is set up.";
  return { kind: "chain", verdict: "off", last_verdict: null, text, at, details: detailsOf(due, undefined, []) };
}

/**
 * Returns what the chain says of a payment (CHAIN-2). While the service fails the verdict is `unavailable`, with what was seen before;
 * a final payment needs no service any more.
 */
export function chainEvidence(due: DuePayment, { facts, at, problem, usedBy }: ChainState): ChainEvidence {
  const details = detailsOf(due, facts, usedBy);
  const found = facts && findingOf(due, facts, usedBy);
  const isOutdated = !facts || (problem !== undefined && !isFinal(due.coin, facts));
  const { verdict, text } = isOutdated ? unavailable(problem ?? "waiting", found, at) : found!;
  return { kind: "chain", verdict, last_verdict: isOutdated ? (found?.verdict ?? null) : null, text, at, details };
}

/** Returns what has arrived in all, a decimal of the coin. */
export function receivedOf(facts: ChainFacts): string {
  return sumOf(countedTransactions(facts)).toFixed(8);
}

/** Returns whether something arrived and all of it is final, so that no lookup would change the facts (CHAIN-3). */
export function isFinal(coin: Coin, facts: ChainFacts): boolean {
  const counted = countedTransactions(facts);
  return counted.length > 0 && counted.every(({ confirmations }) => confirmations >= confirmationsFinal[coin]);
}

const problemTexts: Record<NonNullable<ChainState["problem"]>, string> = {
  unreachable: "The chain service does not answer.",
  overloaded: "The chain service is asked too often.",
  wrong_network: "The chain service is on another network than the main one.",
  behind: "The chain service does not have the newest blocks yet.",
  nonsense: "The chain service answered with something that makes no sense.",
  waiting: "The payment is being looked up.",
};

function unavailable(problem: NonNullable<ChainState["problem"]>, earlier: Finding | undefined, at: string): Finding {
  const before = earlier ? ` At ${minuteText(at)} it said: ${earlier.text}` : "";
  return { verdict: "unavailable", text: problemTexts[problem] + before };
}

function findingOf(due: DuePayment, facts: ChainFacts, usedBy: OtherRequest[]): Finding {
  const counted = countedTransactions(facts);
  if (counted.length === 0) return nothingArrived(due, facts);
  const arrived = arrivedFinding(due, facts, counted);
  const [first] = usedBy;
  if (!first) return arrived;
  const others = besideFirst(usedBy, "more", "more");
  const claim = `${first.email} (${first.status}, submitted ${minuteText(first.created_at)})${others}`;
  return { verdict: "used_before", text: `The same transaction counts for the request of ${claim}. ${arrived.text}` };
}

function nothingArrived({ coin, soughtAmount, reference }: DuePayment, facts: ChainFacts): Finding {
  const { gone, by, since, readSince } = facts;
  const [found] = facts.transactions;
  if (found && isOlderThanQuote(found, facts)) {
    const text = `The transaction is of ${minuteText(found.at!)}, before the quote of ${minuteText(since)}.`;
    return { verdict: "not_found", text };
  }
  if (found?.isReverted) return { verdict: "not_found", text: "The transaction failed on the chain, so nothing arrived." };
  if (found) return elsewhere(found);
  if (gone.length > 0) {
    const text = "The transaction was seen before and is gone: replaced, dropped, or its block was reorganised away.";
    return { verdict: "not_found", text };
  }
  const where = paymentMethod(coin).name;
  if (by === "reference") return { verdict: "not_found", text: `${where} has no transaction with this reference.` };
  const none = `Nothing has arrived at the request's own address since ${minuteText(since)}.`;
  if (by === "address") return { verdict: "not_found", text: none };
  const internal =
    coin === "ethereum" && reference === null ? " What a contract sends, as some exchanges do, is not seen." : "";
  const earlier = readSince === undefined ? "" : " Earlier transfers are no longer kept.";
  const text = `No payment of exactly ${amountText(coin, soughtAmount)} has arrived since ${minuteText(readSince ?? since)}.${earlier}${internal}`;
  return { verdict: "not_found", text };
}

function elsewhere({ elsewhere: addresses, isContractCall }: FoundTransaction): Finding {
  const to = addresses.length === 0 ? "" : `: it pays ${addresses.join(", ")}`;
  const contract = isContractCall ? " It calls a contract, which may have sent something on; look at it in the explorer." : "";
  return { verdict: "other_destination", text: `The transaction pays nothing to the destination${to}.${contract}` };
}

function arrivedFinding(due: DuePayment, facts: ChainFacts, counted: FoundTransaction[]): Finding {
  const { coin } = due;
  const received = sumOf(counted);
  const difference = received.minus(due.amount);
  const confirmations = leastConfirmations(counted);
  const how = counted.length === 1 ? "" : ` in ${counted.length} transactions`;
  const again = facts.gone.length > 0 ? " A transaction that was seen before is gone." : "";
  const what = `${amountText(coin, received.toFixed(8))}${how}, ${differenceText(due, difference)}`;
  if (confirmations < confirmationsNeeded[coin]) {
    const text = `${what}, is on its way: ${confirmations} of ${confirmationsNeeded[coin]} confirmations.${again}`;
    return { verdict: "unconfirmed", text };
  }
  const count = confirmations >= confirmationsFinal[coin] ? `${confirmations} or more` : String(confirmations);
  const verdict = difference.eq(0) ? "matched" : difference.lt(0) ? "short" : "over";
  return { verdict, text: `${what}, has arrived with ${count} confirmations.${again}` };
}

function differenceText(due: DuePayment, difference: Decimal): string {
  if (difference.eq(0)) return "exactly the amount due";
  const usd = differenceUsd(due, difference);
  const size =
    amountText(due.coin, difference.abs().toFixed(8)) + (usd === null ? "" : ` (${usdText(usd.replace("-", ""))} USD)`);
  return `${size} ${difference.lt(0) ? "less" : "more"} than due`;
}

/** At the price of the quote; null where the quote was of nothing. */
function differenceUsd({ amount: due, amountUsd }: DuePayment, difference: Decimal): string | null {
  return decimal(due).eq(0) ? null : rounded(difference.times(amountUsd).div(due), 2);
}

function detailsOf(due: DuePayment, facts: ChainFacts | undefined, usedBy: OtherRequest[]): ChainEvidence["details"] {
  const { coin, amount: amountDue } = due;
  const counted = facts ? countedTransactions(facts) : [];
  // Where nothing counts, the transaction that the student named.
  const transactions = counted.length > 0 ? counted : (facts?.transactions ?? []);
  const received = counted.length === 0 ? null : sumOf(counted);
  const difference = received && received.minus(amountDue);
  return {
    network: paymentMethod(coin).name,
    amount_due: canonical(amountDue),
    amount_received: received && received.toFixed(8),
    difference: difference && difference.toFixed(8),
    difference_usd: difference && differenceUsd(due, difference),
    confirmations: counted.length === 0 ? null : leastConfirmations(counted),
    confirmations_needed: confirmationsNeeded[coin],
    transactions: transactions.map(({ id, received: amount_received, confirmations, at: block_time }) => ({
      id,
      explorer: `${paymentMethod(coin).reference.explorer}${id}`,
      amount_received,
      confirmations,
      block_time,
    })),
    used_by: usedBy,
  };
}

const sumOf = (transactions: FoundTransaction[]): Decimal =>
  transactions.reduce((sum, { received }) => sum.plus(received), decimal("0"));

const leastConfirmations = (transactions: FoundTransaction[]): number =>
  Math.min(...transactions.map(({ confirmations }) => confirmations));
