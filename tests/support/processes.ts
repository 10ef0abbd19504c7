import { readdir, readFile } from "node:fs/promises";

/** Returns the command lines of running processes that contain a path (Linux). A zombie has none. */
export async function processesOn(path: string): Promise<string[]> {
  return (await commandsOf(await allProcesses())).filter((line) => line.includes(path));
}

/** Returns the command lines of those processes that still run. A zombie has none. */
export async function stillRunning(pids: readonly number[]): Promise<string[]> {
  return (await commandsOf(pids)).map((line) => line.replaceAll("\0", " ").trim()).filter((line) => line !== "");
}

/** A process id, followed by those of all that it started; only Linux has the list. */
export async function withDescendants(pid: number): Promise<number[]> {
  const parents = new Map(await Promise.all((await allProcesses()).map(async (id) => [id, await parentOf(id)] as const)));
  const found = [pid];
  for (const parent of found) {
    for (const [id, parentOfId] of parents) if (parentOfId === parent) found.push(id);
  }
  return found;
}

export async function allProcesses(): Promise<number[]> {
  return (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
}

const commandsOf = (pids: readonly number[]): Promise<string[]> =>
  Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")));

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return Number(/^\S+ \(.*\) \S (\d+)/s.exec(stat)?.[1] ?? 0);
}
