import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "./clock.ts";
import { errorLine } from "./logging/describe-error.ts";

/** Rows that one process delivers at the same time, not counting the slow ones. */
const slots = 4;

/** A delivery that takes longer, in milliseconds, leaves its slot to another, so that stalled ones do not hold the rest. */
const slowAfterMs = 5000;

/** All deliveries of a process, the slow ones included. */
const maxInFlight = 16;

/** How long `stop` lets deliveries end, in milliseconds, before it cuts them off, and then for recording that. */
const stopGraceMs = 2500;
const cutOffGraceMs = 1000;

/** How the rows of an outbox leave. */
export interface Delivery<Row> {
  /** Whether to look for a row at all. */
  mayClaim(): boolean;
  /** Takes the next row that is due, or undefined; never one of `busy`, what this worker is delivering. */
  claim(busy: Row[]): Promise<Row | undefined>;
  /** Must not throw for a fault of the row itself. Ends at once when `stop` is aborted. */
  deliver(row: Row, stop: AbortSignal): Promise<void>;
}

export interface WorkerParts<Row> extends Delivery<Row> {
  clock: Clock;
  /**
   * Runs before the first claim: ends the waits of rows that were last tried in the future. The clock was set back, and they would wait that much
   * longer.
   */
  endFutureWaits(): Promise<void>;
  /** Reports why claiming or recording failed. */
  onError(error: Error): void;
  /** How often to look for rows that became due, in milliseconds. */
  pollMs: number;
}

interface InFlight {
  ended: Promise<void>;
  isSlow: boolean;
}

/** Claims rows of an outbox while any are due and delivers several at a time. Looks when woken and at every poll. */
export class DeliveryWorker<Row> {
  readonly inFlight = new Map<Row, InFlight>();
  lastClaimAt: Date | undefined;
  /** Why claiming or recording failed, until a claim works again. */
  lastError: { message: string; at: Date } | undefined;
  readonly #parts: WorkerParts<Row>;
  readonly #cutOff = new AbortController();
  readonly #loop: Promise<void>;
  #isStopping = false;
  #hasEndedWaits = false;
  // Stryker disable next-line BooleanLiteral: the loop sets it before it is read.
  #isWoken = false;
  #endSleep: (() => void) | undefined;

  constructor(parts: WorkerParts<Row>) {
    this.#parts = parts;
    this.#loop = this.#run();
  }

  /** Looks for due rows now. */
  wake(): void {
    this.#isWoken = true;
    this.#endSleep?.();
  }

  /** Claims no further row and waits a short time for those in flight, then cuts them off. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    const ended = this.#loop.then(() => Promise.all([...this.inFlight.values()].map((delivery) => delivery.ended)));
    await Promise.race([ended, pause(stopGraceMs, undefined, { ref: false })]);
    this.#cutOff.abort();
    await Promise.race([ended, pause(cutOffGraceMs, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isWoken = false;
      try {
        await this.#fillSlots();
      } catch (error) {
        this.#failed(error as Error);
      }
      if (!this.#isWoken) await this.#sleep();
    }
  }

  async #fillSlots(): Promise<void> {
    while (!this.#isStopping && this.#hasFreeSlot() && this.#parts.mayClaim()) {
      if (!this.#hasEndedWaits) await this.#parts.endFutureWaits();
      this.#hasEndedWaits = true;
      const row = await this.#parts.claim([...this.inFlight.keys()]);
      this.lastClaimAt = this.#parts.clock.now();
      this.lastError = undefined;
      if (row === undefined) return;
      this.#begin(row);
    }
  }

  #hasFreeSlot(): boolean {
    const deliveries = [...this.inFlight.values()];
    return deliveries.length < maxInFlight && deliveries.filter(({ isSlow }) => !isSlow).length < slots;
  }

  #begin(row: Row): void {
    const slow = setTimeout(() => {
      delivery.isSlow = true;
      this.wake();
    }, slowAfterMs);
    const ended = this.#parts
      .deliver(row, this.#cutOff.signal)
      .catch((error: Error) => this.#failed(error))
      .finally(() => {
        clearTimeout(slow);
        this.inFlight.delete(row);
        this.wake();
      });
    const delivery: InFlight = { ended, isSlow: false };
    this.inFlight.set(row, delivery);
  }

  #failed(error: Error): void {
    this.#parts.onError(error);
    this.lastError = { message: errorLine(error), at: this.#parts.clock.now() };
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#parts.pollMs);
      this.#endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
