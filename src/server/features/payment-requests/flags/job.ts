import { isFlagged } from "#domain/evidence/evidence";
import { BackgroundJob, type JobParts } from "../../../platform/background-job.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import { allowIdle, transaction } from "../../../platform/db/transaction.ts";
import { collectEvidence } from "../evidence/collect.ts";
import type { EvidenceDependencies } from "../evidence/source.ts";
import { withParts } from "../rest/queries.ts";
import * as queries from "./queries.ts";

/** Requests whose evidence is read by one query of each kind. */
const checksAtOnce = 100;

/** Seconds in which the flags of one such query are stored, on a busy database too. A process that vanished keeps others waiting as long. */
const maxStoreSeconds = 30;

/** Seconds after which every pending request is checked again, for what changes by time alone, such as a destination that waits. */
const sweepSeconds = 600;

/** Looks for a sweep that is due, or what a killed process left. */
const pollMs = 15_000;

export type FlagJobParts = Omit<EvidenceDependencies, "db"> & JobParts & { db: Database };

/**
 * Stores which pending requests are flagged (EVIDENCE-6), shortly after what their evidence is made of has changed. The triggers of
 * `migrations/0039-flags.sql` queue the checks; of all processes, one works them off at a time.
 */
export function flagJob(parts: FlagJobParts): BackgroundJob {
  const { changes, onError } = parts;
  const tasks = [{ failure: "Flags of payment requests wait", run: (stop: AbortSignal) => checkAll(parts, stop) }];
  return new BackgroundJob({ changes, onError, topic: "flags", pollMs, tasks });
}

async function checkAll(parts: FlagJobParts, stop: AbortSignal): Promise<void> {
  while (!stop.aborted && (await checkSome(parts)));
}

/** Works off the oldest checks, and queues a sweep that is due where there are none. Returns whether there may be more. */
function checkSome(parts: FlagJobParts): Promise<boolean> {
  const { db, clock } = parts;
  return transaction(db, async (tx) => {
    if (!(await queries.tryLockFlags(tx))) return false;
    // This transaction stands still while other connections store the flags.
    await allowIdle(tx, maxStoreSeconds);
    const checks = await queries.findAllChecks(tx, checksAtOnce);
    if (checks.length === 0) return queries.queueSweep(tx, clock.steady(), secondsAfter(clock.steady(), sweepSeconds));
    await queries.queueRelated(tx, idsOf(checks.filter(({ with_related }) => with_related)));
    const rows = await withParts(tx, await queries.findAllPending(tx, idsOf(checks)));
    const evidenceOf = await collectEvidence({ ...parts, db: tx }, rows);
    for (const row of rows) {
      const flagged = evidenceOf(row).some(isFlagged);
      // In a transaction of its own: whoever changes several requests would otherwise wait for the rows of this one, and it for theirs.
      if (flagged !== row.flagged) await queries.updateFlag(db, row.id, flagged);
    }
    await queries.deleteChecks(tx, checks);
    return true;
  });
}

function idsOf(checks: readonly queries.FlagCheck[]): string[] {
  return [...new Set(checks.map(({ request_id }) => request_id))];
}
