import { BackgroundJob, type JobParts } from "../../platform/background-job.ts";
import type { Database } from "../../platform/db/database.ts";
import { lockKeys, tryLock } from "../../platform/db/locks.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as queries from "./queries.ts";

/** The steps of students are this old at most; the other totals are read together with their open changes. */
const pollMs = 10_000;

/** Changes per transaction. */
const batchSize = 5000;

export interface TotalsJobParts extends JobParts {
  db: Database;
}

/** Returns the job that adds changes of payments and students to the totals, in the process that takes the lock (STATS-1). */
export function totalsJob(parts: TotalsJobParts): BackgroundJob {
  const { changes, onError } = parts;
  const run = (stop: AbortSignal): Promise<void> => addChanges(parts.db, stop);
  return new BackgroundJob({ changes, onError, pollMs, tasks: [{ failure: "Totals could not be kept", run }] });
}

/** Adds all open changes to the totals; none while another process does. */
export async function addChanges(db: Database, stop?: AbortSignal): Promise<void> {
  for (const add of [queries.addPaymentChanges, queries.addTierChanges, queries.addStudentChanges]) {
    const addBatch = (): Promise<number> =>
      transaction(db, async (tx) => ((await tryLock(tx, lockKeys.totals)) ? add(tx, batchSize) : 0));
    while ((await addBatch()) === batchSize) if (stop?.aborted === true) return;
  }
}
