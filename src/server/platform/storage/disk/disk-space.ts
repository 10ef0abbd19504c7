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

  constructor(path: string, clock: Clock, read: ReadDisk = readDisk) {
    this.#path = path;
    this.#clock = clock;
    this.#read = read;
  }

  /** Throws `insufficient_storage` unless so many bytes more would fit now. */
  async check(bytes: number): Promise<void> {
    const isOld = Math.abs(this.#clock.now().getTime() - this.#readAt) >= readingMs;
    if (isOld || this.#room < bytes) await this.#measure();
    if (this.#room < bytes) throw new ProductError("insufficient_storage", { retryAfter });
  }

  /** The same for bytes that are written next. */
  async claim(bytes: number): Promise<void> {
    await this.check(bytes);
    this.#room -= bytes;
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

  async #measure(): Promise<void> {
    const { free, total } = await this.#read(this.#path);
    this.#room = free - diskReserve(total);
    this.#readAt = this.#clock.now().getTime();
  }
}
