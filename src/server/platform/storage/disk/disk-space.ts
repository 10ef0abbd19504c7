import { statfs } from "node:fs/promises";
import { ProductError } from "#domain/errors/messages";
import type { Clock } from "../../clock.ts";
import type { ReadinessCheck } from "../../http/readiness.ts";

/** Sizes in bytes; `free` is what an ordinary account may still use. */
export interface DiskUsage {
  free: number;
  total: number;
}

export type ReadDisk = (path: string) => Promise<DiskUsage>;

export const readDisk: ReadDisk = async (path) => {
  const { bavail, blocks, bsize } = await statfs(path);
  return { free: bavail * bsize, total: blocks * bsize };
};

/** Left free for the database and the system: 5 % of the disk, from 64 MB to 1 GB. */
export function diskReserve(total: number): number {
  return Math.min(Math.max(total * 0.05, 64 * 1024 ** 2), 1024 ** 3);
}

/** A reading is used this long. What this process writes meanwhile is counted; what others write is not. */
const readingMs = 1000;

const retryAfter = 60;

/** The room for uploads on the disk of a folder, without the reserve. */
export class DiskSpace {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #read: ReadDisk;
  #room = 0;
  #readAt = 0;
  /** Bytes that reservations have still to write. */
  #reserved = 0;

  constructor(path: string, clock: Clock, read: ReadDisk = readDisk) {
    this.#path = path;
    this.#clock = clock;
    this.#read = read;
  }

  /** Throws `insufficient_storage` unless so many bytes more would fit now. */
  async check(bytes: number): Promise<void> {
    await this.#readFor(bytes);
    this.#require(bytes);
  }

  /** The same for bytes that are written next. */
  async claim(bytes: number): Promise<void> {
    await this.#readFor(bytes);
    this.#require(bytes);
    this.#room -= bytes;
  }

  /** The same for bytes whose writing takes longer than a reading is used. Room is kept for those that `write` has not counted yet. */
  async reserve(bytes: number, write: (count: (bytes: number) => void) => Promise<void>): Promise<void> {
    await this.#readFor(bytes);
    this.#require(bytes);
    let rest = bytes;
    this.#reserved += rest;
    const count = (written: number): void => {
      rest -= written;
      this.#reserved -= written;
      this.#room -= written;
    };
    await write(count).finally(() => (this.#reserved -= rest));
  }

  /** Returns the bytes that would fit on the disk without any other file. */
  async capacity(): Promise<number> {
    const { total } = await this.#read(this.#path);
    return total - diskReserve(total);
  }

  /** Reports `at_reserve` while no upload fits. */
  get readiness(): ReadinessCheck {
    const check = async (): Promise<string | undefined> => {
      await this.#measure();
      return this.#room <= 0 ? "at_reserve" : undefined;
    };
    return { name: "disk", check };
  }

  /** Reads the disk where the last reading is old or has too little room for so many bytes. */
  async #readFor(bytes: number): Promise<void> {
    const isOld = Math.abs(this.#clock.now().getTime() - this.#readAt) >= readingMs;
    if (isOld || this.#room - this.#reserved < bytes) await this.#measure();
  }

  #require(bytes: number): void {
    if (this.#room - this.#reserved < bytes) throw new ProductError("insufficient_storage", { retryAfter });
  }

  async #measure(): Promise<void> {
    const { free, total } = await this.#read(this.#path);
    this.#room = free - diskReserve(total);
    this.#readAt = this.#clock.now().getTime();
  }
}
