import { link, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { orAbsent } from "./errors.ts";
import { isAlive, isPostmasterOf } from "./processes.ts";
import { PORT } from "./settings.ts";

/** What a postmaster writes about itself into `postmaster.pid`. */
export interface PostmasterFile {
  pid: number;
  /** Missing while the postmaster is only beginning. */
  socketFolder?: string;
  /** A smart or fast shutdown is under way. */
  isStopping: boolean;
}

/** Reads `postmaster.pid`, which may be stale. */
export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(clusterDir, "postmaster.pid"), "utf8").catch(orAbsent);
  const [pid, , , , socketFolder, , , status] = (text ?? "").split("\n");
  if (!(Number(pid) > 0)) return undefined;
  return { pid: Number(pid), ...(socketFolder ? { socketFolder } : {}), isStopping: status?.trim() === "stopping" };
}

/** Puts lock files out of the way that a crash left and PostgreSQL would believe: their process id is a stranger's now. */
export async function clearStaleLocks(clusterDir: string, socketFolder: string): Promise<void> {
  for (const lock of [join(clusterDir, "postmaster.pid"), join(socketFolder, `.s.PGSQL.${PORT}.lock`)]) {
    const text = await readFile(lock, "utf8").catch(orAbsent);
    if (text !== undefined && (await isMisleading(text, clusterDir))) await setAside(lock, text);
  }
}

/** PostgreSQL itself sees through a lock of a dead process, and does so without a race: those are left to it. */
async function isMisleading(text: string, clusterDir: string): Promise<boolean> {
  const pid = Number.parseInt(text, 10);
  if (!(pid > 0)) return true;
  return isAlive(pid) && !(await isPostmasterOf(pid, clusterDir));
}

async function setAside(lock: string, judged: string): Promise<void> {
  const aside = `${lock}.stale-${process.pid}`;
  await rename(lock, aside).catch(orAbsent);
  // A server that started in between wrote a new one: give it back.
  if ((await readFile(aside, "utf8").catch(orAbsent)) !== judged) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
}
