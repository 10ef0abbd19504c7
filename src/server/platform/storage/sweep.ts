import type { Clock } from "../clock.ts";
import { secondsAfter } from "../clock.ts";
import type { Connection } from "../db/database.ts";
import { databaseMadeAt } from "../db/database-history.ts";
import type { Bucket } from "./bucket.ts";
import type { ObjectStore } from "./object-store.ts";
import { deleteObjectIfUnused, findAllFinished } from "./queries.ts";
import { deleteUnfinished, unfinishedBefore } from "./uploads/unfinished-uploads.ts";
import { errorLine } from "../logging/describe-error.ts";
import type { UploadLocks } from "./locks/upload-locks.ts";

/** How long an upload may stay unfinished, or finished and used by nothing. */
export const keptSeconds = 24 * 3600;

const batchSize = 500;

/** Files that one sweep may fail to remove one after the other before it ends. */
const maxFaults = 5;

/** Uploads without a byte that one sweep forgets; the next takes the rest. */
// Stryker disable next-line Limit: one more is no harm.
const maxForgotten = 10_000;

export interface SweepParts {
  db: Connection;
  clock: Clock;
  objects: ObjectStore;
  buckets: Iterable<Bucket>;
  locks: Pick<UploadLocks<unknown>, "ifFree">;
}

/**
 * Removes what stayed unused for 24 hours (FILE-7): objects that no video and no payment refers to, uploads that never ended, and
 * bytes whose row is gone. Each bucket names its unused objects; the foreign keys have the last word, so an object that is
 * attached at the same time stays. Bytes that are older than the database stay too, unless it has a row of them: they may be those of the
 * right database, where the site was started with a wrong one.
 */
export async function sweep(parts: SweepParts): Promise<void> {
  const before = secondsAfter(parts.clock.now(), -keptSeconds);
  const faults = new Faults();
  for (const bucket of parts.buckets) await removeUnused(parts, faults, bucket, before);
  const madeAt = await databaseMadeAt(parts.db);
  for await (const ids of parts.objects.ids()) await removeLeftovers(parts, faults, ids, { since: madeAt, before });
  await removeLeftovers(parts, faults, await unfinishedBefore(parts.db, before, maxForgotten), { before });
  faults.throwAll();
}

/** A file that cannot be removed leaves the others to be; several one after the other mean that nothing can, as in an outage. */
class Faults {
  readonly #byId = new Map<string, unknown>();
  #inRow = 0;

  /** Does a step for an id, unless one has failed. */
  async pass(id: string, step: () => Promise<void>): Promise<void> {
    if (this.#byId.has(id)) return;
    try {
      await step();
      this.#inRow = 0;
    } catch (error) {
      this.#byId.set(id, error);
      this.#inRow += 1;
      if (this.#inRow === maxFaults) this.throwAll();
    }
  }

  throwAll(): void {
    const errors = [...this.#byId.values()];
    if (errors.length > 0) throw new AggregateError(errors, errors.map((error) => errorLine(error)).join("; "));
  }
}

async function removeUnused({ db, objects }: SweepParts, faults: Faults, bucket: Bucket, before: Date): Promise<void> {
  for (;;) {
    const ids = await bucket.unused(db, before, batchSize);
    let removed = 0;
    for (const id of ids) {
      if (!(await deleteObjectIfUnused(db, id))) continue;
      await faults.pass(id, () => objects.remove(id));
      removed += 1;
    }
    if (removed === 0) return;
  }
}

/** Removes those of the ids whose bytes were last written in a span of time, or are not there, and which have no row of a finished object. */
async function removeLeftovers(
  { db, objects, locks }: SweepParts,
  faults: Faults,
  ids: string[],
  { since, before }: { since?: Date; before: Date },
): Promise<void> {
  const finished = await findAllFinished(db, ids);
  const isKept = async (id: string): Promise<boolean> => {
    const changed = await objects.lastChange(id);
    return changed !== undefined && (changed >= before || (since !== undefined && changed < since));
  };
  for (const id of ids) {
    await faults.pass(id, async () => {
      // Stryker disable next-line ConditionFalse,LogicalOperator: saves a lock, under which both are looked at again.
      if (finished.has(id) || (await isKept(id))) return;
      await locks.ifFree(id, async () => {
        if ((await isKept(id)) || (await findAllFinished(db, [id])).has(id)) return;
        await deleteUnfinished(db, id);
        await objects.remove(id);
      });
    });
  }
}
