import { createReadStream, createWriteStream, rmSync } from "node:fs";
import { link, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { nameDraft, syncToDisk } from "../db/embedded/os/disk.ts";
import { diskReserve, readDisk, type ReadDisk } from "../storage/disk/disk-space.ts";
import { BackupError, readArchive } from "./archive.ts";
import type { BackupFile } from "./backup-file.ts";
import { writeBackup, type BackupSource, type BackupSummary } from "./write.ts";

/** Ends the name of a file that is no backup yet. */
const draftSuffix = ".part";

/** Bytes that are written between two looks at the room that is left. */
const roomEveryBytes = 4 * 1024 * 1024;

/** A backup on a disk, with mode 0600: durable and read back whole before it has its name. */
export class DiskFile implements BackupFile {
  readonly #path: string;
  readonly #diskOf: ReadDisk;
  readonly #link: typeof link;

  /** Tests pass another disk, and a `makeLink` that fails. */
  constructor(path: string, diskOf: ReadDisk = readDisk, makeLink = link) {
    this.#path = path;
    this.#diskOf = diskOf;
    this.#link = makeLink;
  }

  async makeFolder(): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
  }

  /** Throws `BackupError` also before the disk is so full that the site would stop. */
  async write(source: BackupSource): Promise<BackupSummary> {
    const folder = dirname(this.#path);
    if (!(await isThere(folder))) throw new BackupError(`There is no folder ${folder}.`);
    if (await isThere(this.#path)) throw new BackupError(`${this.#path} exists already. Name another file.`);
    const draft = `${this.#path}.${process.pid}${draftSuffix}`;
    const removeDraft = (): void => rmSync(draft, { force: true });
    process.once("exit", removeDraft);
    try {
      const summary = await this.#writeDraft(source, draft);
      await nameDraft(draft, this.#path, this.#link);
      await syncToDisk(folder);
      return summary;
    } finally {
      process.off("exit", removeDraft);
      await rm(draft, { force: true });
    }
  }

  async open(): Promise<Readable> {
    if (!(await isThere(this.#path))) throw new BackupError(`There is no file ${this.#path}.`);
    // Opened at once: a stream's own error would come before anybody reads it.
    return (await open(this.#path)).createReadStream({ highWaterMark: pieceBytes });
  }

  async size(): Promise<number | undefined> {
    const size = (await stat(this.#path).catch(ignoreAbsent))?.size;
    // An empty file only holds the name of a backup whose process was killed.
    return size === 0 ? undefined : size;
  }

  async removeDrafts(): Promise<void> {
    const folder = dirname(this.#path);
    for (const name of await readdir(folder).catch(() => [])) {
      const isDraft = name.startsWith(`${basename(this.#path)}.`) && name.endsWith(draftSuffix);
      if (isDraft) await rm(join(folder, name), { force: true });
    }
  }

  remove(): Promise<void> {
    return rm(this.#path, { force: true });
  }

  async #writeDraft(source: BackupSource, draft: string): Promise<BackupSummary> {
    await this.#checkRoom();
    // `flush`: fsync(2) before the file is closed.
    const sink = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
    let seen = 0;
    sink.on("drain", () => {
      if (sink.bytesWritten - seen < roomEveryBytes) return;
      seen = sink.bytesWritten;
      void this.#checkRoom().catch((error: Error) => sink.destroy(error));
    });
    return writeBackup(source, sink, async () => {
      await this.#checkRoom();
      await readBack(draft);
    });
  }

  /** The database may be on the same disk, so a backup leaves as much as uploads do (FILE-8). */
  async #checkRoom(): Promise<void> {
    const folder = dirname(this.#path);
    const { free, total } = await this.#diskOf(folder);
    if (free < diskReserve(total)) throw new BackupError(`No room for a backup in ${folder}: its disk is almost full.`);
  }
}

const pieceBytes = 1024 * 1024;

/** Throws `BackupError` unless a backup is whole, to its end, where the digest is. */
async function readBack(path: string): Promise<void> {
  for await (const _ of readArchive(createReadStream(path, { highWaterMark: pieceBytes })));
}

/** For `catch`: undefined where a file is not there; any other failure stays a failure. */
function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(ignoreAbsent)) !== undefined;
