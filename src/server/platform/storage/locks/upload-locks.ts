import { setTimeout as pause } from "node:timers/promises";
import type { Locker } from "@tus/server";
import { ProductError } from "#domain/errors/messages";
import type { Database } from "../../db/database.ts";
import { SharedLocks, type Lease } from "./shared-locks.ts";

const pollMs = 100;

/** How long a request waits for another process, which may hang. */
const maxTries = 300;

interface Held<Holder> {
  /** Undefined while the sweep has it. */
  holder: Holder | undefined;
  /** When the request came, by the database's clock; undefined until it has asked. */
  at: number | undefined;
  /** Undefined while another process has the lock. */
  lease: Lease | undefined;
  /** A newer request wants the upload. */
  isStopped: boolean;
  released: Promise<void>;
  release: () => void;
}

/**
 * One request at a time on an upload, in all processes on one database; the newest wins. It interrupts the one before, whose
 * connection is mostly dead already (tus 1.0, Locker of @tus/server). Inside this process the requests take turns in memory;
 * the one whose turn it is then takes the lock that the processes share.
 */
export class UploadLocks<Holder> {
  readonly #held = new Map<string, Held<Holder>>();
  readonly #interrupt: (holder: Holder) => void;
  readonly #shared: SharedLocks;

  /** `interrupt` asks a holder to let go soon. */
  constructor(pool: Database["$client"], interrupt: (holder: Holder) => void) {
    this.#interrupt = interrupt;
    this.#shared = new SharedLocks(pool, {
      onWanted: (id, at) => {
        const held = this.#held.get(id);
        if (held?.at !== undefined && held.at < at) this.#stop(held);
      },
      onLost: () => {
        for (const held of this.#held.values()) this.#stop(held);
      },
    });
  }

  /** The locks of one request. */
  lockerOf(holder: Holder): Locker {
    return {
      newLock: (id) => ({
        lock: () => this.#lock(id, holder),
        unlock: () => this.#unlock(id),
      }),
    };
  }

  /** The request that has an upload now. */
  holderOf(id: string): Holder | undefined {
    return this.#held.get(id)?.holder;
  }

  /** Whether this process still has the lock: it loses all of them with its connection to the database. */
  isHeld(id: string): boolean {
    const lease = this.#held.get(id)?.lease;
    return lease !== undefined && this.#shared.isHeld(lease);
  }

  /** Runs an action with the lock held, or not at all when a request has it. */
  async ifFree(id: string, action: () => Promise<void>): Promise<void> {
    if (this.#held.has(id)) return;
    const held = this.#take(id, undefined);
    try {
      held.lease = (await this.#shared.tryLock(id)).lease;
      if (held.lease) await action();
    } finally {
      await this.#unlock(id);
    }
  }

  /** Ends the database session; call when no request is left. */
  close(): Promise<void> {
    return this.#shared.close();
  }

  async #lock(id: string, holder: Holder): Promise<void> {
    for (let held = this.#held.get(id); held; held = this.#held.get(id)) {
      this.#stop(held);
      await held.released;
    }
    const held = this.#take(id, holder);
    try {
      await this.#lockAmongProcesses(id, held);
    } catch (error) {
      await this.#unlock(id);
      throw error;
    }
  }

  /** Throws `upload_moved_on` when a newer request wants the upload, and `unavailable` when the other process never lets go. */
  async #lockAmongProcesses(id: string, held: Held<Holder>): Promise<void> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const { lease, at } = await this.#shared.tryLock(id);
      held.lease = lease;
      held.at ??= at;
      if (lease) return;
      if (held.isStopped) throw new ProductError("upload_moved_on");
      await this.#shared.ask(id, held.at);
      await pause(pollMs);
    }
    throw new ProductError("unavailable", { retryAfter: 5 });
  }

  #stop(held: Held<Holder>): void {
    held.isStopped = true;
    if (held.holder !== undefined) this.#interrupt(held.holder);
  }

  #take(id: string, holder: Holder | undefined): Held<Holder> {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = { holder, at: undefined, lease: undefined, isStopped: false, released, release };
    this.#held.set(id, held);
    return held;
  }

  async #unlock(id: string): Promise<void> {
    const held = this.#held.get(id);
    if (held?.lease) await this.#shared.unlock(id, held.lease);
    this.#held.delete(id);
    held?.release();
  }
}
