import { readFileSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import { run } from "./run.ts";

const HAS_PROC = process.platform === "linux";

/** Whether a process with this id runs; one that ended and is only waiting for its parent (a zombie) does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return !(HAS_PROC && isZombie(pid));
}

/** Whether this process is the postmaster of that cluster, and not a stranger who got its id after a reboot. */
export async function isPostmasterOf(pid: number, clusterDir: string): Promise<boolean> {
  if (!(pid > 0) || !isAlive(pid)) return false;
  const command = (await commandsOf([pid])).get(pid);
  if (!command || !["postgres", "postmaster"].includes(basename(command.program))) return false;
  return startedOn(command.line, clusterDir) || (await workingFolder(pid)) === clusterDir;
}

/** Ends every `initdb` and `postgres` whose command line mentions a path. */
export async function killDatabaseProgramsOn(path: string): Promise<void> {
  for (const [pid, { program, line }] of await commandsOf()) {
    if (["initdb", "postgres"].includes(basename(program)) && line.includes(path)) signal(pid, "SIGKILL");
  }
}

/** Ends backends whose postmaster was killed in the middle of their work: they hold the memory that a new one needs. */
export async function endOrphansOf(clusterDir: string): Promise<void> {
  for (const [pid, { line }] of await commandsOf()) {
    const isBackend = line.startsWith("postgres: ") && (await workingFolder(pid)) === clusterDir;
    if (isBackend && !(await isPostmasterOf(parentOf(pid), clusterDir))) signal(pid, "SIGQUIT");
  }
}

/** Sends a signal; false when there is no such process any more. */
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
    // The name of the program stands in parentheses and may itself hold spaces and parentheses.
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

/** What a process was started as: its program alone, and with all that follows. */
interface Command {
  program: string;
  line: string;
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

/** `ps` does not tell where the program's path ends, which may hold spaces: at the first option. */
async function commandsFromPs(pids?: number[]): Promise<Map<number, Command>> {
  const which = pids ? ["-p", pids.join(",")] : ["-ax"];
  const { out } = await run("/bin/ps", ["-ww", ...which, "-o", "pid=,command="]);
  const rows = out.split("\n").map((row) => /^\s*(\d+) (.*)$/.exec(row));
  return new Map(
    rows.flatMap((row) => {
      const line = row?.[2] ?? "";
      return row ? [[Number(row[1]), { program: line.split(" -")[0] ?? "", line }] as const] : [];
    }),
  );
}
