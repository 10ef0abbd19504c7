import { readdir, readFile, readlink } from "node:fs/promises";
import { allProcesses, withDescendants } from "../support/processes.ts";

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
