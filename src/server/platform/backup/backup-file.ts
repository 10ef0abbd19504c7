import { createReadStream, createWriteStream } from "node:fs";
import { access, link, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { syncToDisk } from "../db/embedded/os/disk.ts";
import { diskReserve, readDisk, type ReadDisk } from "../storage/disk/disk-space.ts";
import { BackupError, readArchive } from "./archive.ts";
import { writeBackup, type BackupSource, type BackupSummary } from "./write.ts";

/** Ends the name of a file that is no backup yet. */
export const draftSuffix = ".part";

/** Milliseconds between two looks at the room that is left. */
const roomEveryMs = 1000;

/**
 * Writes a backup to a new file with mode 0600, which has its name only when it is durable and was read back whole (BACKUP-1). Throws
 * `BackupError` when the file exists already, and before the disk is so full that the site would stop.
 */
export async function writeBackupFile(source: BackupSource, path: string, diskOf: ReadDisk = readDisk): Promise<BackupSummary> {
  if (await isThere(path)) throw new BackupError(`${path} exists already. Name another file.`);
  const draft = `${path}.${process.pid}${draftSuffix}`;
  try {
    const summary = await writeDraft(source, draft, () => checkRoom(dirname(path), diskOf));
    // To its end, where the digest is.
    for await (const _ of readArchive(await openBackupFile(draft)));
    await link(draft, path);
    await syncToDisk(dirname(path));
    return summary;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(source: BackupSource, draft: string, check: () => Promise<void>): Promise<BackupSummary> {
  await check();
  // `flush`: fsync(2) before the file is closed.
  const sink = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
  const timer = setInterval(() => void check().catch((error: Error) => sink.destroy(error)), roomEveryMs);
  try {
    return await writeBackup(source, sink);
  } finally {
    clearInterval(timer);
  }
}

/** The database may be on the same disk, so a backup leaves as much as uploads do (FILE-8). */
async function checkRoom(folder: string, diskOf: ReadDisk): Promise<void> {
  const { free, total } = await diskOf(folder);
  if (free < diskReserve(total)) throw new BackupError(`No room for a backup in ${folder}: its disk is almost full.`);
}

/** Opens a backup's file to read. Throws `BackupError` where there is none. */
export async function openBackupFile(path: string): Promise<Readable> {
  if (!(await isThere(path))) throw new BackupError(`There is no file ${path}.`);
  return createReadStream(path, { highWaterMark: 1024 * 1024 });
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
