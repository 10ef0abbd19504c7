import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../db/embedded/os/processes.ts";

/** Folders that this process made. */
const own = new Set<string>();

/** Makes a folder for a file that this process fetches from a bucket, below one that processes of other machines may share. */
export async function makeFetchFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(parent, `file-${hostname()}-${process.pid}-`));
  own.add(folder);
  return folder;
}

export async function removeFetchFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  own.delete(folder);
}

/** Removes what processes of this machine have left that were killed, and what is older than a time, whosever it is. */
export async function removeLeftovers(parent: string, before: Date): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name);
    const found = await stat(folder).catch(() => undefined);
    if (found && (found.mtime < before || isLeft(folder))) await rm(folder, { recursive: true, force: true });
  }
}

function isLeft(folder: string): boolean {
  const [, host, pid] = /file-([^/\\]+)-(\d+)-\w+$/.exec(folder) ?? [];
  if (host !== hostname()) return false;
  // In a container the process before had this one's id.
  return Number(pid) === process.pid ? !own.has(folder) : !isAlive(Number(pid));
}
