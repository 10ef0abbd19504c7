import type { Coin } from "#domain/payment-methods/settings";
import { BackgroundJob, type JobParts, type JobTask } from "../../../platform/background-job.ts";
import { ChainBudgetError, ChainServiceError } from "../../../platform/chain/chain.ts";
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
  const coins: Coin[] = ["bitcoin", "ethereum"];
  return coins.filter((coin) => parts.chains[coin] !== undefined).map((coin) => chainJob(parts, coin));
}

/**
 * Looks up the payments by one coin, one after another: of all processes, one has a lookup at a time (CHAIN-2). A submit or a decision
 * wakes it and does not wait for it.
 */
function chainJob(parts: ChainJobParts, coin: Coin): BackgroundJob {
  const { changes, onError } = parts;
  const scanning: JobTask[] =
    coin === "ethereum" ? [{ failure: "Blocks of Ethereum wait", run: (stop) => readBlocks(parts, stop) }] : [];
  const tasks: JobTask[] = [
    { failure: "Lookups are not scheduled", run: () => scheduleAll(parts, coin) },
    ...scanning,
    { failure: "Lookups wait", run: (stop) => lookUpAll(parts, coin, stop) },
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

async function readBlocks(parts: ChainJobParts, stop: AbortSignal): Promise<void> {
  if (await isServiceClosed(parts.db, "ethereum", parts.clock.steady())) return;
  try {
    await scanBlocks(parts, parts.chains.ethereum!.reader(stop));
  } catch (error) {
    if (stop.aborted || error instanceof ChainBudgetError) return;
    if (!(error instanceof ChainServiceError)) throw error;
    const news = await recordServiceFailure(parts, "ethereum", error);
    if (news) throw news;
  }
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
