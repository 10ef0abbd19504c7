// @ts-check
import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { treeOf } from "./processes.mjs";

/** Whether processes can be kept to some cores (Debian: util-linux). */
export const canPin = spawnSync("taskset", ["--version"]).status === 0;

/**
 * Has processes, their threads, and all that they start from now on run on the first cores alone. Throws where one of them could not be moved.
 * @param {number[]} roots processes with their descendants @param {number} [count] default: all cores
 */
export function pin(roots, count = cpus().length) {
  for (const pid of new Set(roots.flatMap(treeOf))) {
    const { status, stderr } = spawnSync("taskset", ["-acp", `0-${count - 1}`, String(pid)], { encoding: "utf8" });
    if (status !== 0 && !stderr.includes("No such process")) throw new Error(`A process stays on its cores: ${stderr}`);
  }
}
