import { createReadStream, createWriteStream } from "node:fs";
import { access, link, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { syncToDisk } from "../db/embedded/os/disk.ts";
import { BackupError } from "./archive.ts";
import { writeBackup, type BackupSource, type BackupSummary } from "./write.ts";

/**
 * Writes a backup to a new file with mode 0600, which has its name only when it is whole and durable. Throws `BackupError` when the file
 * exists already.
 */
export async function writeBackupFile(source: BackupSource, path: string): Promise<BackupSummary> {
  if (await isThere(path)) throw new BackupError(`${path} exists already. Name another file.`);
  const draft = `${path}.${process.pid}.part`;
  try {
    // `flush`: fsync(2) before the file is closed.
    const sink = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
    const summary = await writeBackup(source, sink);
    await link(draft, path);
    await syncToDisk(dirname(path));
    return summary;
  } finally {
    await rm(draft, { force: true });
  }
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
