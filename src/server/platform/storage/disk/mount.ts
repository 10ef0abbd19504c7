import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ProductError } from "#domain/errors/messages";

/** Seconds after which a request may ask again for a folder whose disk is away. */
const retryAfter = 10;

/** Returns whether a folder, or what a link leads to, is the place where a disk is mounted. */
export async function isMountPoint(path: string): Promise<boolean> {
  const [found, above] = await Promise.all([stat(path), realpath(path).then((real) => stat(dirname(real)))]);
  return found.dev !== above.dev;
}

/** Whether the disk of a folder is still mounted, where it has one of its own. */
export class Mount {
  readonly #path: string;
  readonly #isMounted: (path: string) => Promise<boolean>;
  #wasMounted = false;

  constructor(path: string, isMounted: (path: string) => Promise<boolean>) {
    this.#path = path;
    this.#isMounted = isMounted;
  }

  /** Returns whether the folder has had a disk of its own, and is only its empty place. The number of the disk does not tell: a network's changes. */
  async isLost(): Promise<boolean> {
    const isMounted = await this.#isMounted(this.#path);
    this.#wasMounted ||= isMounted;
    return this.#wasMounted && !isMounted;
  }

  /** Throws `unavailable` while the disk is away. */
  async require(): Promise<void> {
    if (await this.isLost()) throw new ProductError("unavailable", { retryAfter });
  }
}
