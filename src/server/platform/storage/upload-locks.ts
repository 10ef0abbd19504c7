import type { Lock, Locker } from "@tus/server";

interface Held {
  /** Asks the holder to stop receiving. */
  interrupt: () => void;
  released: Promise<void>;
  release: () => void;
}

/**
 * One request at a time on an upload, the newest wins: it interrupts the one before, whose connection is mostly dead already
 * (tus 1.0, Locker of @tus/server). Held in memory, so it holds within one process, which is all that one folder of files has;
 * unlike @tus/server's MemoryLocker it waits without spinning.
 */
export class UploadLocks implements Locker {
  readonly #held = new Map<string, Held>();
  readonly #interruptOf: () => () => void;

  /** `interruptOf` answers how the request that asks for a lock can be interrupted later. */
  constructor(interruptOf: () => () => void) {
    this.#interruptOf = interruptOf;
  }

  newLock(id: string): Lock {
    return {
      lock: async () => {
        for (let holder = this.#held.get(id); holder; holder = this.#held.get(id)) {
          holder.interrupt();
          await holder.released;
        }
        this.#take(id, this.#interruptOf());
      },
      unlock: () => {
        this.#release(id);
        return Promise.resolve();
      },
    };
  }

  /** Runs an action with the lock held, or not at all when a request has it. */
  async ifFree(id: string, action: () => Promise<void>): Promise<void> {
    if (this.#held.has(id)) return;
    this.#take(id, () => {});
    await action().finally(() => this.#release(id));
  }

  #take(id: string, interrupt: () => void): void {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    this.#held.set(id, { interrupt, released, release });
  }

  #release(id: string): void {
    const held = this.#held.get(id);
    this.#held.delete(id);
    held?.release();
  }
}
