// @ts-check
import { memoryBase } from "../../scripts/memory-base.mjs";

/**
 * Has a bench write to memory where that many GB have room; says so where it writes to a disk, which is measured too then. A TMPDIR that is set stays.
 * @param {number} gigabytes @param {(line: string) => void} say
 */
export function writeToMemory(gigabytes, say) {
  if (process.env["TMPDIR"]) return;
  const base = memoryBase(gigabytes * 2 ** 30);
  if (base === undefined)
    say(`No memory that runs programs has ${gigabytes} GB of room: the files are on a disk, which is measured too.`);
  else process.env["TMPDIR"] = base;
}
