import { plannedWeeks } from "#domain/live-sessions/occurrences";
import { secondsAfter } from "../../platform/clock.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { ChangeFeed } from "../../platform/realtime/changes.ts";
import { planOccurrences } from "./plan.ts";
import * as queries from "./queries.ts";
import { remindStudents, type ReminderParts } from "./reminders/remind.ts";

/** Reminders are sent at most this late. */
const pollMs = 30_000;

export interface LiveSessionJobParts extends ReminderParts {
  changes: Pick<ChangeFeed, "subscribe">;
  onError: (what: string, error: unknown) => void;
}

/** Plans weekly sessions ahead, and sends reminders: every half minute, and when a session changes. */
export class LiveSessionJob {
  readonly #parts: LiveSessionJobParts;
  readonly #stop = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #isQueued = false;

  constructor(parts: LiveSessionJobParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.changes.subscribe(({ topic }) => {
      if (topic === "live-sessions" || topic === "gap") void this.run();
    });
    this.#timer = setInterval(() => void this.run(), pollMs).unref();
  }

  /** Does what is due. Resolves when nothing is left, or after a failure, which the next run repeats. */
  run(): Promise<void> {
    // A run may miss a change that came while it ended, so one more is queued; a third would find nothing.
    if (this.#isQueued) return this.#running;
    this.#isQueued = true;
    this.#running = this.#running.then(async () => {
      this.#isQueued = false;
      await this.#planOn().catch((error: unknown) => this.#parts.onError("Live sessions could not be planned ahead", error));
      await remindStudents(this.#parts, this.#stop.signal).catch((error: unknown) =>
        this.#parts.onError("Reminders of live sessions wait", error),
      );
    });
    return this.#running;
  }

  /** Ends after the transaction that is running. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#unsubscribe();
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Plans a weekly session again once a week of its half year has passed. */
  async #planOn(): Promise<void> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const lastDay = secondsAfter(now, (plannedWeeks - 1) * 7 * 24 * 3600);
    for (const id of await queries.findUnplanned(db, lastDay)) {
      if (this.#stop.signal.aborted) return;
      await transaction(db, async (tx) => {
        const session = await queries.lockSession(tx, id);
        if (session) await planOccurrences(tx, session, now);
      });
    }
  }
}

/** Starts with what became due while no process ran. */
export function startLiveSessionJob(parts: LiveSessionJobParts): LiveSessionJob {
  const job = new LiveSessionJob(parts);
  void job.run();
  return job;
}
