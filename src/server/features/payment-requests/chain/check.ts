import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import { ProductError } from "#domain/errors/messages";
import type { Coin } from "#domain/payment-methods/settings";
import type { Dependencies } from "../../../dependencies.ts";
import { chainErrorOf, ChainWaitError, type ChainError } from "../../../platform/chain/chain.ts";
import { findService } from "../../../platform/chain/service-state.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { findById, type PaymentRequestRow } from "../queries.ts";
import { findPaymentRequest } from "../read.ts";
import { attemptLookup } from "./attempt.ts";
import { coinOf } from "./due-payment.ts";
import { leaseEnd, scheduleLookup } from "./look-up.ts";
import { claimLookup } from "./queries.ts";
import { scanBlocks, waitForBlocksSeconds } from "./scan.ts";

const checkLimit: Limit = { name: "chain-check", points: 30, seconds: 60 };

/** Milliseconds that the admin waits for the chain service. */
const maxWaitMs = 5000;

/**
 * Looks at the chain again now, for at most five seconds, and returns the request with its evidence (CHAIN-7). Where the service
 * fails, the evidence says so; where it is only slow, the lookup of a request that is not rejected goes on in the background. Throws
 * `payment_request_not_found` or `too_many_requests`.
 */
export async function checkPaymentRequest(deps: Dependencies, adminId: string, id: string): Promise<PaymentRequestDetail> {
  await deps.limits.consume(checkLimit, adminId);
  const request = await findById(deps.db, id);
  if (!request) throw new ProductError("payment_request_not_found");
  const coin = coinOf(request);
  // Stryker disable next-line LeftOperand: no chain is called undefined.
  if (coin !== undefined && deps.chains[coin] !== undefined) await lookUpNow(deps, request, coin);
  return findPaymentRequest(deps, id);
}

async function lookUpNow(deps: Dependencies, request: PaymentRequestRow, coin: Coin): Promise<void> {
  const { db, clock } = deps;
  const { asked_to_wait_until } = await findService(db, coin);
  // Stryker disable next-line LeftOperand,Boundary: null is later than no time, and a millisecond does not matter.
  if (asked_to_wait_until !== null && asked_to_wait_until > clock.steady()) return;
  // That the admin waits no longer is no fault of the service: the job looks on.
  const ends = { stop: AbortSignal.timeout(maxWaitMs), timeout: new AbortController().signal };
  await scheduleLookup(deps, request, coin);
  // For a rejected request no block is read, so it is looked for among those that were read for others.
  const isByBlocks = coin === "ethereum" && request.reference === null && request.status !== "rejected";
  const blocksFault = isByBlocks ? await readBlocks(deps) : undefined;
  const lookup = await claimLookup(db, request.id, leaseEnd(clock));
  // Stryker disable next-line ConditionTrue: the request goes between two statements.
  if (lookup) await attemptLookup({ ...deps, blocksFault }, lookup, ends);
}

/** Reads blocks for half of the time, so that the lookup has the rest. That this was too short is no fault of the service. */
async function readBlocks(deps: Dependencies): Promise<ChainError | undefined> {
  const timeout = AbortSignal.timeout(maxWaitMs / 2);
  const fault = await chainErrorOf(scanBlocks(deps, deps.chains.ethereum!.reader(timeout)));
  return fault && timeout.aborted
    ? new ChainWaitError("Blocks of Ethereum are still to be read.", waitForBlocksSeconds)
    : fault;
}
