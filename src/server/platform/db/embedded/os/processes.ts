import { readFileSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import { commandsIn, type Command } from "./ps-rows.ts";
import { run } from "./run-program.ts";

const HAS_PROC = process.platform === "linux";

/** Returns whether a process with this id runs. A zombie, which ended and is not reaped yet, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return !(HAS_PROC && isZombie(pid));
}

/**
 * Returns whether this process is the postmaster of that cluster; after a reboot another program may have its id. A postmaster is
 * a program `postgres` or `postmaster` with `-D` and the cluster on its command line, or with the cluster as working folder.
 */
export async function isPostmasterOf(pid: number, clusterDir: string): Promise<boolean> {
  if (!(pid > 0) || !isAlive(pid)) return false;
  const command = (await commandsOf([pid])).get(pid);
  if (!command || !["postgres", "postmaster"].includes(basename(command.program))) return false;
  return startedOn(command.line, clusterDir) || (await workingFolder(pid)) === clusterDir;
}

/** Kills every `initdb` and `postgres` whose command line contains a path. */
export async function killDatabasePrograms(path: string): Promise<void> {
  for (const [pid, { program, line }] of await commandsOf()) {
    if (["initdb", "postgres"].includes(basename(program)) && line.includes(path)) signal(pid, "SIGKILL");
  }
}

/** Stops backends whose postmaster was killed; they hold the shared memory that a new postmaster needs. */
export async function stopOrphanedBackends(clusterDir: string): Promise<void> {
  for (const [pid, { line }] of await commandsOf()) {
    const isBackend = line.startsWith("postgres: ") && (await workingFolder(pid)) === clusterDir;
    if (isBackend && !(await isPostmasterOf(parentOf(pid), clusterDir))) signal(pid, "SIGQUIT");
  }
}

/** Sends a signal. Returns false when there is no such process. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

function isZombie(pid: number): boolean {
  return /^[ZX]/.test(stateAndParent(pid));
}

function parentOf(pid: number): number {
  return Number(stateAndParent(pid).split(" ")[1] ?? 0);
}

function stateAndParent(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name is in parentheses and may contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(")") + 2);
  } catch {
    return "";
  }
}

function startedOn(line: string, clusterDir: string): boolean {
  const rest = line.split(` -D ${clusterDir}`)[1];
  return rest !== undefined && (rest === "" || rest.startsWith(" "));
}

async function workingFolder(pid: number): Promise<string | undefined> {
  return HAS_PROC ? readlink(`/proc/${pid}/cwd`).catch(() => undefined) : undefined;
}

async function commandsOf(pids?: number[]): Promise<Map<number, Command>> {
  return HAS_PROC ? commandsFromProc(pids ?? (await allPids())) : commandsFromPs(pids);
}

async function allPids(): Promise<number[]> {
  return (await readdir("/proc")).map(Number).filter((pid) => pid > 0);
}

async function commandsFromProc(pids: number[]): Promise<Map<number, Command>> {
  const commands = new Map<number, Command>();
  for (const pid of pids) {
    const raw = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    const words = raw.replace(/\0+$/, "").split("\0");
    commands.set(pid, { program: words[0] ?? "", line: words.join(" ") });
  }
  return commands;
}

async function commandsFromPs(pids?: number[]): Promise<Map<number, Command>> {
  const which = pids ? ["-p", pids.join(",")] : ["-ax"];
  return commandsIn((await run("/bin/ps", ["-ww", ...which, "-o", "pid=,command="])).out);
}
