import { isFinal, receivedOf, type DuePayment } from "#domain/evidence/chain";
import type { ChainFacts } from "#domain/evidence/chain-facts";
import { decimal } from "#domain/money";
import type { PaymentStatus } from "#domain/payments/payment-request";
import { retentionSeconds } from "../../../platform/retention/periods.ts";

const hour = 3600;
const day = 24 * hour;

/** Seconds between lookups while a payment that is in a block becomes final: a block of Bitcoin, five of Ethereum. */
const confirmingSeconds = { bitcoin: 600, ethereum: 60 };

/** Seconds between lookups in the first hour while nothing is in a block. */
const newSeconds = { bitcoin: 120, ethereum: 60 };

/**
 * Returns the seconds until a request is looked up again; undefined once nothing is left to look for: it is rejected, or what arrived
 * is final and, of a pending one, its own and exactly the amount due, or nothing arrived for an approved one within 90 days (CHAIN-3).
 * `isOthers` says that all of its amount that arrived counts for other requests.
 */
export function secondsToNextLookup(
  due: DuePayment,
  facts: ChainFacts,
  { status, ageSeconds, isOthers }: { status: PaymentStatus; ageSeconds: number; isOthers: boolean },
): number | undefined {
  const { coin } = due;
  if (status === "rejected") return undefined;
  if (isFinal(coin, facts)) {
    const isDone = status === "approved" || (!isOthers && decimal(due.amount).eq(receivedOf(facts)));
    return isDone ? undefined : hour;
  }
  if (facts.transactions.some(({ confirmations }) => confirmations > 0) && decimal(receivedOf(facts)).gt(0)) {
    return confirmingSeconds[coin];
  }
  // Transfers of so long ago are not read any more, and its awaited destination would never be forgotten.
  if (status === "approved" && ageSeconds >= retentionSeconds.chainTransfers) return undefined;
  if (ageSeconds < hour) return newSeconds[coin];
  if (ageSeconds < day) return 600;
  return ageSeconds < 7 * day ? hour : 6 * hour;
}
