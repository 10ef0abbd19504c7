import { link, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { orAbsent } from "../errors.ts";
import { isAlive, isPostmasterOf } from "../os/processes.ts";
import { PORT } from "./settings.ts";

/** The content of `postmaster.pid`. */
export interface PostmasterFile {
  pid: number;
  /** Undefined until the postmaster has opened its socket. */
  socketFolder?: string;
  /** A smart or fast shutdown is under way. */
  isStopping: boolean;
}

/** Returns the content of `postmaster.pid`, which may be stale, or undefined without a valid file. */
export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(clusterDir, "postmaster.pid"), "utf8").catch(orAbsent);
  const [pid, , , , socketFolder, , , status] = (text ?? "").split("\n");
  if (!(Number(pid) > 0)) return undefined;
  return { pid: Number(pid), ...(socketFolder ? { socketFolder } : {}), isStopping: status?.trim() === "stopping" };
}

/** Removes lock files of a crashed server whose process id now belongs to another program: PostgreSQL would respect them. */
export async function clearStaleLocks(clusterDir: string, socketFolder: string): Promise<void> {
  for (const lock of [join(clusterDir, "postmaster.pid"), join(socketFolder, `.s.PGSQL.${PORT}.lock`)]) {
    const text = await readFile(lock, "utf8").catch(orAbsent);
    if (text !== undefined && (await belongsToAnotherProcess(text, clusterDir))) await moveAside(lock, text);
  }
}

/** Locks of dead processes are left to PostgreSQL, which removes them without a race. */
async function belongsToAnotherProcess(text: string, clusterDir: string): Promise<boolean> {
  const pid = Number.parseInt(text, 10);
  if (!(pid > 0)) return true;
  return isAlive(pid) && !(await isPostmasterOf(pid, clusterDir));
}

async function moveAside(lock: string, stale: string): Promise<void> {
  const aside = `${lock}.stale-${process.pid}`;
  await rename(lock, aside).catch(orAbsent);
  // A server that started in between wrote a new one: put it back.
  if ((await readFile(aside, "utf8").catch(orAbsent)) !== stale) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
}
