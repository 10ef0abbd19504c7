import { coins, type Coin } from "#domain/payment-methods/settings";
import { BackgroundJob, type JobParts, type JobTask } from "../../../platform/background-job.ts";
import { chainErrorOf, ChainServiceError, ChainWaitError, type ChainError } from "../../../platform/chain/chain.ts";
import { isServiceClosed } from "../../../platform/chain/service-state.ts";
import { findById } from "../queries.ts";
import { attemptLookup, recordServiceFailure } from "./attempt.ts";
import { leaseEnd, scheduleLookup, type LookupParts } from "./look-up.ts";
import { claimDueLookup, findNeverLookedUp } from "./queries.ts";
import { scanBlocks } from "./scan.ts";

/** Looks for lookups that became due, or whose process was killed. */
const pollMs = 10_000;

/** Milliseconds that one lookup may take; less than its lease. */
const maxLookupMs = 90_000;

export type ChainJobParts = LookupParts & JobParts;

/** Returns the jobs of the coins whose chain service is set up. */
export function chainJobs(parts: ChainJobParts): BackgroundJob[] {
  return coins.filter((coin) => parts.chains[coin] !== undefined).map((coin) => chainJob(parts, coin));
}

/**
 * Looks up the payments by one coin, one after another: of all processes, one has a lookup at a time (CHAIN-2). A submit or a decision
 * wakes it and does not wait for it.
 */
function chainJob(parts: ChainJobParts, coin: Coin): BackgroundJob {
  const { changes, onError } = parts;
  let blocksFault: ChainError | undefined;
  const reading: JobTask = {
    failure: "Blocks of Ethereum wait",
    run: async (stop) => {
      blocksFault = await readBlocks(parts, stop);
      const news = await newsOf(parts, blocksFault, stop);
      if (news) throw news;
    },
  };
  const tasks: JobTask[] = [
    { failure: "Lookups are not scheduled", run: () => scheduleAll(parts, coin) },
    ...(coin === "ethereum" ? [reading] : []),
    { failure: "Lookups wait", run: (stop) => lookUpAll({ ...parts, blocksFault }, coin, stop) },
  ];
  return new BackgroundJob({ changes, onError, topic: "payment-requests", pollMs, tasks });
}

async function scheduleAll(parts: ChainJobParts, coin: Coin): Promise<void> {
  for (;;) {
    const id = await findNeverLookedUp(parts.db, coin);
    const request = id === undefined ? undefined : await findById(parts.db, id);
    if (request === undefined) return;
    await scheduleLookup(parts, request, coin);
  }
}

async function readBlocks(parts: ChainJobParts, stop: AbortSignal): Promise<ChainError | undefined> {
  if (await isServiceClosed(parts.db, "ethereum", parts.clock.steady())) return undefined;
  return chainErrorOf(scanBlocks(parts, parts.chains.ethereum!.reader(stop)));
}

/** Returns the fault of a reading that the operator should read; of an outage the first. */
async function newsOf(parts: ChainJobParts, fault: ChainError | undefined, stop: AbortSignal): Promise<Error | undefined> {
  if (stop.aborted || fault instanceof ChainWaitError) return undefined;
  return fault instanceof ChainServiceError ? recordServiceFailure(parts, "ethereum", fault) : fault;
}

async function lookUpAll(parts: ChainJobParts, coin: Coin, stop: AbortSignal): Promise<void> {
  const { db, clock, onError } = parts;
  while (!stop.aborted && !(await isServiceClosed(db, coin, clock.steady()))) {
    const lookup = await claimDueLookup(db, coin, { now: clock.steady(), leaseEnd: leaseEnd(clock) });
    if (lookup === undefined) return;
    const error = await attemptLookup(parts, lookup, { stop, timeout: AbortSignal.timeout(maxLookupMs) });
    if (error) onError(`Payment request ${lookup.request_id} could not be looked up`, error);
  }
}
