import type { Change, ChangeFeed } from "./realtime/changes.ts";
import { throttled } from "./throttled.ts";

export interface JobParts {
  changes: Pick<ChangeFeed, "subscribe">;
  onError: (what: string, error: unknown) => void;
}

export interface JobTask {
  /** What the log says when the task fails. The next run repeats it. */
  failure: string;
  /** Does all that is due. Ends early when `stop` is aborted. */
  run(stop: AbortSignal): Promise<void>;
}

interface JobSettings extends JobParts {
  /** Changes of this topic wake the job; without one, it only polls. */
  topic?: Change["topic"];
  pollMs: number;
  /** Run one after another. A task that fails is logged and does not stop the others. */
  tasks: readonly JobTask[];
}

/** Seconds until work that failed is tried again: after the first attempt, and at most. */
const firstWaitSeconds = 30;
const maxWaitSeconds = 3600;

/** Returns the seconds until work that has failed `attempts` times is tried again: doubled after each, up to an hour. */
export function retryWaitSeconds(attempts: number): number {
  return Math.min(firstWaitSeconds * 2 ** (attempts - 1), maxWaitSeconds);
}

/** Runs its tasks at the start, at every poll, and when a change of its topic came or may have been missed. */
export class BackgroundJob {
  readonly #settings: JobSettings;
  readonly #stop = new AbortController();
  #unsubscribe: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isQueued = false;

  constructor(settings: JobSettings) {
    this.#settings = settings;
  }

  start(): this {
    const { changes, topic: ownTopic, pollMs } = this.#settings;
    const wake = throttled(() => {
      if (!this.#stop.signal.aborted) void this.run();
    });
    this.#unsubscribe = changes.subscribe(({ topic }) => {
      if (topic === ownTopic || topic === "gap") wake();
    });
    this.#timer = setInterval(() => void this.run(), pollMs).unref();
    void this.run();
    return this;
  }

  /** Runs every task. Resolves when all have ended, also those that failed. */
  run(): Promise<void> {
    // A run may miss a change that came while it ended, so one more is queued; a third would find nothing.
    if (this.#isQueued) return this.#running;
    this.#isQueued = true;
    this.#running = this.#running.then(async () => {
      this.#isQueued = false;
      const { tasks, onError } = this.#settings;
      for (const { failure, run } of tasks) {
        await run(this.#stop.signal).catch((error: unknown) => onError(failure, error));
      }
    });
    return this.#running;
  }

  /** Interrupts the tasks and waits for their end. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error("The process stops."));
    this.#unsubscribe?.();
    clearInterval(this.#timer);
    await this.#running;
  }
}
