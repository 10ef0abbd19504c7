import type { Serializable } from "node:child_process";
import { JobError } from "./job-error.ts";
import { WorkerProcess, type ProcessSettings } from "./worker-process.ts";

export interface PoolSettings extends ProcessSettings {
  /** The most processes; each starts when a job needs it. */
  maxProcesses: number;
  maxWaiting: number;
  /** Milliseconds that a job waits for a free process. */
  maxWaitMs: number;
}

interface WaitingJob<Reply> {
  message: Serializable;
  timer: NodeJS.Timeout;
  resolve(reply: Reply): void;
  reject(error: JobError): void;
}

/** Runs jobs in child processes, one at a time in each, so that a hostile job does not affect others. */
export class WorkerPool<Job extends Serializable, Reply> {
  readonly #settings: PoolSettings;
  readonly #workers = new Set<WorkerProcess<Reply>>();
  /** Waiting jobs by owner, in the order of their turns. */
  readonly #waiting = new Map<string, WaitingJob<Reply>[]>();
  #waitingCount = 0;
  #isClosed = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  /** Returns the process's reply. Owners take turns, so that one with many jobs delays the others by one. Throws `JobError`. */
  run(owner: string, message: Job): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || this.#waitingCount >= this.#settings.maxWaiting) return reject(new JobError("busy"));
      const timer = setTimeout(() => this.#giveUp(owner, job), this.#settings.maxWaitMs);
      const job: WaitingJob<Reply> = { message, timer, resolve, reject };
      this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), job]);
      this.#waitingCount += 1;
      this.#dispatch();
    });
  }

  /** Ends all processes; jobs that wait or run fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [owner, jobs] of this.#waiting) for (const job of jobs) this.#giveUp(owner, job);
    await Promise.all([...this.#workers].map((worker) => worker.end()));
  }

  #dispatch(): void {
    while (this.#waitingCount > 0) {
      const free = [...this.#workers].find(({ isFree }) => isFree);
      if (free === undefined && this.#workers.size >= this.#settings.maxProcesses) return;
      const job = this.#takeNext();
      try {
        (free ?? this.#start())
          .run(job.message)
          .then(job.resolve, job.reject)
          .finally(() => this.#dispatch());
      } catch {
        // The system refuses another process, for lack of memory for instance.
        job.reject(new JobError("lost"));
      }
    }
  }

  #start(): WorkerProcess<Reply> {
    const worker = new WorkerProcess<Reply>(this.#settings, () => {
      this.#workers.delete(worker);
      this.#dispatch();
    });
    this.#workers.add(worker);
    return worker;
  }

  #takeNext(): WaitingJob<Reply> {
    const [owner, jobs] = [...this.#waiting][0]!;
    const [job, ...rest] = jobs as [WaitingJob<Reply>, ...WaitingJob<Reply>[]];
    this.#waiting.delete(owner);
    if (rest.length > 0) this.#waiting.set(owner, rest);
    this.#waitingCount -= 1;
    clearTimeout(job.timer);
    return job;
  }

  #giveUp(owner: string, job: WaitingJob<Reply>): void {
    const rest = (this.#waiting.get(owner) ?? []).filter((other) => other !== job);
    if (rest.length > 0) this.#waiting.set(owner, rest);
    else this.#waiting.delete(owner);
    this.#waitingCount -= 1;
    clearTimeout(job.timer);
    job.reject(new JobError("busy"));
  }
}
