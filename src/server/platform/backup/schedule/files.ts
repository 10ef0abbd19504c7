import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { draftSuffix } from "../backup-file.ts";

/** Makes the folder of the scheduled backups, closed to others. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Returns the path of a scheduled backup that is begun now: `pipwright-2026-11-22T03-00-00.000Z.tar`. */
export function pathOfBackup(folder: string, now: Date): string {
  return join(folder, `pipwright-${now.toISOString().replaceAll(":", "-")}.tar`);
}

/** Returns the bytes of a backup, or undefined where it cannot be found. It has its name only when it is whole (BACKUP-1). */
export async function sizeOfBackup(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

/** Removes what a process that was killed has left of a backup. */
export async function removeDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(`${basename(path)}.`) && name.endsWith(draftSuffix)) await rm(join(folder, name), { force: true });
  }
}

/** Removes a backup; one that is not there counts as removed. */
export const removeBackup = (path: string): Promise<void> => rm(path, { force: true });
