import type { Locker } from "@tus/server";

interface Held<Holder> {
  /** Undefined while the sweep has it. */
  holder: Holder | undefined;
  released: Promise<void>;
  release: () => void;
}

/**
 * One request at a time on an upload, the newest wins: it interrupts the one before, whose connection is mostly dead already
 * (tus 1.0, Locker of @tus/server). Held in memory, so it holds within one process, which is all that one folder of files has;
 * unlike @tus/server's MemoryLocker it waits without spinning.
 */
export class UploadLocks<Holder> {
  readonly #held = new Map<string, Held<Holder>>();
  readonly #interrupt: (holder: Holder) => void;

  /** `interrupt` asks a holder to let go soon. */
  constructor(interrupt: (holder: Holder) => void) {
    this.#interrupt = interrupt;
  }

  /** The locks of one request. */
  lockerOf(holder: Holder): Locker {
    return {
      newLock: (id) => ({
        lock: () => this.#lock(id, holder),
        unlock: () => Promise.resolve(this.#release(id)),
      }),
    };
  }

  /** The request that has an upload now. */
  holderOf(id: string): Holder | undefined {
    return this.#held.get(id)?.holder;
  }

  /** Runs an action with the lock held, or not at all when a request has it. */
  async ifFree(id: string, action: () => Promise<void>): Promise<void> {
    if (this.#held.has(id)) return;
    this.#take(id, undefined);
    try {
      await action();
    } finally {
      this.#release(id);
    }
  }

  async #lock(id: string, holder: Holder): Promise<void> {
    for (let held = this.#held.get(id); held; held = this.#held.get(id)) {
      if (held.holder !== undefined) this.#interrupt(held.holder);
      await held.released;
    }
    this.#take(id, holder);
  }

  #take(id: string, holder: Holder | undefined): void {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    this.#held.set(id, { holder, released, release });
  }

  #release(id: string): void {
    const held = this.#held.get(id);
    this.#held.delete(id);
    held?.release();
  }
}
