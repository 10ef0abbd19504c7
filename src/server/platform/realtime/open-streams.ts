import { ProductError } from "#domain/messages";
import type { Principal } from "../http/access.ts";

/** Most streams that one account holds in one process: enough for a person's tabs and devices. */
export const streamsPerAccount = 6;

/** Seconds after which a refused client may try again. */
const retryAfter = 10;

export interface Stream {
  readonly principal: Principal;
  send(text: string): void;
  end(): void;
  /** Ends it because its account opened newer streams. */
  supersede(): void;
}

/** The open streams of one process: a number for each account, and a share of the whole that only the admin can use. */
export class OpenStreams implements Iterable<Stream> {
  readonly #max: number;
  readonly #adminShare: number;
  readonly #all = new Set<Stream>();
  /** Oldest first. */
  readonly #byAccount = new Map<string, Set<Stream>>();
  #students = 0;

  constructor(max: number) {
    this.#max = max;
    this.#adminShare = Math.min(streamsPerAccount, Math.floor(max / 2));
  }

  /**
   * Adds a stream. An account that has its full number loses its oldest, so that a tab just opened works and a connection that
   * died unnoticed shuts nobody out. Throws `unavailable` when the process is full.
   */
  add(stream: Stream): void {
    this.requireRoom(stream.principal);
    const own = this.#byAccount.get(stream.principal.id) ?? new Set();
    const [oldest] = own;
    if (oldest && own.size >= streamsPerAccount) {
      this.remove(oldest);
      oldest.supersede();
    }
    this.#byAccount.set(stream.principal.id, own.add(stream));
    this.#all.add(stream);
    if (stream.principal.role !== "admin") this.#students += 1;
  }

  /** Throws `unavailable` where `add` would. */
  requireRoom({ id, role }: Principal): void {
    const replacesOwn = (this.#byAccount.get(id)?.size ?? 0) >= streamsPerAccount;
    const isFull = role === "admin" ? this.#all.size >= this.#max : this.#students >= this.#max - this.#adminShare;
    if (isFull && !replacesOwn) throw new ProductError("unavailable", { retryAfter });
  }

  remove(stream: Stream): void {
    if (!this.#all.delete(stream)) return;
    const { id, role } = stream.principal;
    const own = this.#byAccount.get(id);
    own?.delete(stream);
    if (own?.size === 0) this.#byAccount.delete(id);
    if (role !== "admin") this.#students -= 1;
  }

  [Symbol.iterator](): Iterator<Stream> {
    return this.#all.values();
  }
}
