// @ts-check
import { statfsSync } from "node:fs";

/** Returns a folder in memory with this much room, in bytes; undefined where there is none. PostgreSQL waits for a disk most of its time. */
export function memoryBase(/** @type {number} */ room) {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize >= room ? "/dev/shm" : undefined;
  } catch {
    return undefined;
  }
}
