import { ProductError } from "#domain/errors/messages";
import type { Principal } from "../http/access.ts";

/** Streams per account and process: enough for a person's tabs and devices. */
export const streamsPerAccount = 6;

/** Seconds until a refused client may try again. */
const retryAfter = 10;

export interface Stream {
  readonly principal: Principal;
  send(text: string): void;
  end(): void;
  /** Ends the stream because its account opened newer ones. */
  supersede(): void;
}

/** The open streams of one process, limited per account and in total, with a share for the admin (LIVE-2). */
export class OpenStreams implements Iterable<Stream> {
  readonly #max: number;
  readonly #adminShare: number;
  readonly #all = new Set<Stream>();
  /** Oldest first. */
  readonly #byAccount = new Map<string, Set<Stream>>();
  #students = 0;
  #isEnded = false;

  constructor(max: number) {
    this.#max = max;
    this.#adminShare = Math.min(streamsPerAccount, Math.floor(max / 2));
  }

  /**
   * Adds a stream. At its limit an account loses its oldest stream, so that a new tab works and a dead connection that was
   * not noticed yet does no harm. Throws `unavailable` when the process is full or stops.
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
    if (this.#isEnded || (isFull && !replacesOwn)) throw new ProductError("unavailable", { retryAfter });
  }

  remove(stream: Stream): void {
    if (!this.#all.delete(stream)) return;
    const { id, role } = stream.principal;
    const own = this.#byAccount.get(id);
    own?.delete(stream);
    if (own?.size === 0) this.#byAccount.delete(id);
    if (role !== "admin") this.#students -= 1;
  }

  /** Ends every stream. Later ones are refused, also those whose session is just being read: nothing would end them. */
  end(): void {
    this.#isEnded = true;
    for (const stream of this) stream.end();
  }

  [Symbol.iterator](): Iterator<Stream> {
    return this.#all.values();
  }
}
