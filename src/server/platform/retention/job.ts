import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Connection, Database } from "../db/database.ts";
import { lockKeys, tryLock } from "../db/locks.ts";
import { transaction } from "../db/transaction.ts";
import { errorLine } from "../logging/describe-error.ts";

/** Deletes rows of one kind that are no longer needed; defined by the feature that owns the table. */
export interface Removal {
  name: string;
  /** Deletes at most `limit` rows and returns how many. */
  remove(connection: Connection, now: Date, limit: number): Promise<number>;
  /** Rows per transaction; default 500, fewer where a row cascades to many others. */
  batchSize?: number;
}

const defaultBatchSize = 500;

/** Bounds one run; the next one continues. */
// Stryker disable next-line Limit: a batch more is no harm.
const maxBatches = 100;

const firstRunMs = 60_000;
const runEveryMs = 3_600_000;

/** Milliseconds between two batches, for other work of the database. */
const pauseBetweenBatchesMs = 50;

export interface RetentionParts {
  db: Database;
  clock: Clock;
  removals: readonly Removal[];
  onError?: (what: string, error: unknown) => void;
}

/** Runs all removals hourly, in the process that takes the lock. */
export class RetentionJob {
  lastError: { name: string; message: string } | undefined;
  readonly #parts: RetentionParts;
  #running: Promise<void> = Promise.resolve();
  #isStopping = false;
  // Stryker disable next-line ArrayDeclaration: what is no timer is not cleared.
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timers.push(setTimeout(() => void this.run(), firstRunMs).unref());
    this.#timers.push(setInterval(() => void this.run(), runEveryMs).unref());
  }

  /** Ends after the batch that is running. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#running;
  }

  /** Runs every removal once, one after another. A removal that fails is logged and does not stop the others. */
  run(): Promise<void> {
    this.#running = this.#running.then(() => this.#runAll());
    return this.#running;
  }

  async #runAll(): Promise<void> {
    this.lastError = undefined;
    for (const removal of this.#parts.removals) {
      try {
        await this.#removeInBatches(removal);
      } catch (error) {
        this.lastError = { name: removal.name, message: errorLine(error) };
        this.#parts.onError?.(`Old ${removal.name} could not be deleted`, error);
      }
    }
  }

  async #removeInBatches(removal: Removal): Promise<void> {
    const limit = removal.batchSize ?? defaultBatchSize;
    // Stryker disable next-line Boundary: one batch more does no harm.
    for (let batch = 0; batch < maxBatches && !this.#isStopping; batch++) {
      const removed = await this.#removeBatch(removal, limit);
      if (removed < limit) return;
      await pause(pauseBetweenBatchesMs);
    }
  }

  /** Removes nothing while another process has the lock. */
  #removeBatch(removal: Removal, limit: number): Promise<number> {
    const { db, clock } = this.#parts;
    return transaction(db, async (tx) => {
      return (await tryLock(tx, lockKeys.retention)) ? removal.remove(tx, clock.now(), limit) : 0;
    });
  }
}

/** The first run is a minute after the start. */
export function startRetention(parts: RetentionParts): RetentionJob {
  const job = new RetentionJob(parts);
  job.start();
  return job;
}
