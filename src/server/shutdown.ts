import { setTimeout as pause } from "node:timers/promises";
import { monotonicMs } from "./platform/clock.ts";
import { errorLine } from "./platform/logging/describe-error.ts";

/** Milliseconds from the request to stop to the end of the process, even if a part hangs. */
const deadlineMs = 15_000;

/** Milliseconds for the parts above the database; the database gets the rest. */
const partsMs = 9000;
const databaseMs = 14_000;

interface Part {
  name: string;
  byMs: number;
  stop(withinMs: number): Promise<unknown>;
}

/** The cause of a stop. */
export interface StopReason {
  code: number;
  /** Lines for standard error. */
  lines?: string[];
}

/** Rejects waiting work when the process is asked to stop. */
class StoppedError extends Error {}

/** The parts of the process, stopped in reverse order within fifteen seconds of the first request (RUN-1). */
export class Shutdown {
  #parts: Part[] = [];
  #controller = new AbortController();
  #code = 0;
  #requestedAt = 0;

  /** Aborts at the first request to stop. */
  readonly stopped: AbortSignal = this.#controller.signal;

  /** Adds a running part; `database` is the one that the others need. */
  add(name: string, stop: (withinMs: number) => Promise<unknown>): void {
    this.#parts.push({ name, stop, byMs: name === "database" ? databaseMs : partsMs });
  }

  /** Asks the process to stop. Later requests only print their lines. */
  request({ code, lines = [] }: StopReason): void {
    for (const line of lines) console.error(line);
    if (this.stopped.aborted) return;
    this.#code = code;
    this.#requestedAt = monotonicMs();
    setTimeout(() => {
      console.error(`Not everything stopped within ${deadlineMs / 1000} s: leaving.`);
      process.exit(1);
    }, deadlineMs);
    this.#controller.abort(new StoppedError("The process was asked to stop."));
  }

  /** Resolves like `work`, or rejects at the request to stop; `work` then continues unobserved. */
  async unlessStopped<T>(work: Promise<T>): Promise<T> {
    const stopped = this.untilStopped().then(() => {
      throw this.stopped.reason as Error;
    });
    return Promise.race([work, stopped]);
  }

  async untilStopped(): Promise<void> {
    if (this.stopped.aborted) return;
    await new Promise((resolve) => this.stopped.addEventListener("abort", resolve, { once: true }));
  }

  /** Stops every part, the newest first. Returns the code to exit with. */
  async stopParts(): Promise<number> {
    const unfinished: string[] = [];
    for (const part of this.#parts.splice(0).toReversed()) {
      if (!(await this.#stopInTime(part))) unfinished.push(part.name);
    }
    if (unfinished.length > 0) console.error(`Stopped without waiting longer for: ${unfinished.join(", ")}.`);
    return this.#code;
  }

  async #stopInTime({ name, stop, byMs }: Part): Promise<boolean> {
    const withinMs = Math.max(0, this.#requestedAt + byMs - monotonicMs());
    const stopping = stop(withinMs).then(
      () => true,
      (error: unknown) => {
        console.error(`Stopping ${name}: ${errorLine(error)}`);
        return false;
      },
    );
    return Promise.race([stopping, pause(withinMs, false, { ref: false })]);
  }
}
