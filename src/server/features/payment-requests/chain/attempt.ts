import type { Coin } from "#domain/payment-methods/settings";
import { retryWaitSeconds } from "../../../platform/background-job.ts";
import { ChainWaitError, ChainServiceError, isChainError, type ChainError } from "../../../platform/chain/chain.ts";
import { storeServiceFailure, storeServiceSuccess } from "../../../platform/chain/service-state.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { findById, type PaymentRequestRow } from "../queries.ts";
import { lookUp, type LookupParts } from "./look-up.ts";
import { updateLookup, type LookupRow } from "./queries.ts";

/** Seconds until a lookup during which the service failed is repeated, at most. */
const maxOutageSeconds = 600;

/** What interrupts a lookup. */
export interface Ends {
  /** The process stops, or nobody waits any longer: the lookup is due at once. */
  stop: AbortSignal;
  /** Its time is over, which counts as a service that does not answer. */
  timeout: AbortSignal;
}

/** Returns the signal that aborts as soon as either does. */
export const signalOf = ({ stop, timeout }: Ends): AbortSignal => AbortSignal.any([stop, timeout]);

/**
 * Looks up a claimed request and stores how that ended: what was found, or when it is tried again. Returns the error that the operator
 * should read, once for an outage of the service and once for a lookup that fails. Throws only for faults of the database.
 */
export async function attemptLookup(parts: LookupParts, lookup: LookupRow, ends: Ends): Promise<Error | undefined> {
  const request = await findById(parts.db, lookup.request_id);
  if (request === undefined) return undefined;
  try {
    await lookUp(parts, lookup, request, signalOf(ends));
    await storeServiceSuccess(parts.db, lookup.coin);
    return undefined;
  } catch (error) {
    if (!isChainError(error)) throw error;
    return recordFailure(parts, lookup, request, error, ends.stop.aborted);
  }
}

async function recordFailure(
  parts: LookupParts,
  lookup: LookupRow,
  request: Pick<PaymentRequestRow, "created_at" | "status">,
  error: ChainError,
  isStopped: boolean,
): Promise<Error | undefined> {
  const { db, clock } = parts;
  // Nobody awaits the payment of a rejected request, and no block is read for it.
  const nextAt = (wait: number): Date | null => (request.status === "rejected" ? null : secondsAfter(clock.steady(), wait));
  if (isStopped) return void (await updateLookup(db, lookup, { next_at: nextAt(0) }));
  if (error instanceof ChainWaitError) {
    return void (await updateLookup(db, lookup, { next_at: nextAt(error.retryAfter) }));
  }
  if (error instanceof ChainServiceError) {
    // As long as the last success is ago: soon at first, and a lookup that always fails does not close the service again and again.
    const age = (clock.now().getTime() - (lookup.looked_at ?? request.created_at).getTime()) / 1000;
    await updateLookup(db, lookup, { next_at: nextAt(Math.min(age, maxOutageSeconds)) });
    return recordServiceFailure(parts, lookup.coin, error);
  }
  const failures = lookup.failures + 1;
  await updateLookup(db, lookup, { failures, next_at: nextAt(retryWaitSeconds(failures)) });
  return lookup.failures === 0 ? error : undefined;
}

/** Stores that a service failed. Returns the error where it is the first of an outage. */
export async function recordServiceFailure(
  { db, clock }: LookupParts,
  coin: Coin,
  error: ChainServiceError,
): Promise<Error | undefined> {
  return (await storeServiceFailure(db, coin, clock.steady(), error)) ? error : undefined;
}
