import { readdir, readFile, readlink } from "node:fs/promises";

/** What a process and all that it started hold. */
export interface Held {
  /** Proportional set size in megabytes: shared pages are divided among those who share them. */
  pssMb: number;
  files: number;
}

/** Measures a process with its descendants; zeros where there is no /proc. */
export async function heldBy(pid: number): Promise<Held> {
  const each = await Promise.all((await withDescendants(pid)).map(heldByItself));
  return each.reduce((sum, { pssMb, files }) => ({ pssMb: sum.pssMb + pssMb, files: sum.files + files }));
}

/** Measures a process without its descendants. */
export async function heldByItself(pid: number): Promise<Held> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return { pssMb: Math.round(Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024), files: files.length };
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

/** Paths of the files that a process has open. */
export async function openFilesOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
}

/** Command lines of the processes that work on a folder. */
export async function processesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await allProcesses()) {
    const command = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ");
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => "");
    if (command.includes(folder) || cwd.startsWith(folder)) found.push(command);
  }
  return found;
}

async function allProcesses(): Promise<number[]> {
  return (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return Number(/^\S+ \(.*\) \S (\d+)/s.exec(stat)?.[1] ?? 0);
}
