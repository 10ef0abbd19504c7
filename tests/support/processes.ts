import { readdir, readFile } from "node:fs/promises";

/** Returns the command lines of running processes that contain a path (Linux). A zombie has none. */
export async function processesOn(path: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")));
  return lines.filter((line) => line.includes(path));
}
