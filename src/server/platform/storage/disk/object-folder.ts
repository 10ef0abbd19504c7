import {
  access,
  chmod,
  constants,
  copyFile,
  mkdir,
  open,
  opendir,
  rename,
  stat,
  unlink,
  type FileHandle,
} from "node:fs/promises";
import { join } from "node:path";
import { isObjectId } from "../object-store.ts";
import { isMountPoint, Mount } from "./mount.ts";

/** Ids in one batch. */
const batchSize = 500;

/** Modes of a file without a writer, and of a part while a request writes to it. */
const closedMode = 0o400;
const openMode = 0o600;

/** A part that is open for writing. */
export interface OpenPart {
  file: FileHandle;
  /** False when an earlier writer has not closed it: its process may be gone, or only be slow and still write. */
  wasClosed: boolean;
}

/**
 * The folder of all bytes. An upload is written to `id.part`, which is writable exactly while a request writes to it. With its
 * last byte it is sealed: renamed to `id` for good.
 *
 * Invariant: the bytes under a final name never change. A process that was thought gone may still have the part open, and a
 * rename does not take that from it. The part's mode shows it, so such a part is copied when it is sealed: the late writer is
 * left with a file that has no name.
 */
export class ObjectFolder {
  readonly path: string;
  readonly #mount: Mount;

  /** Tests pass another `isMounted` to take a disk away. */
  constructor(path: string, isMounted = isMountPoint) {
    this.path = path;
    this.#mount = new Mount(path, isMounted);
  }

  /** Makes the folder, closed to other accounts of the machine. */
  async prepare(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await this.#mount.isLost();
  }

  /** Returns `missing`, `unwritable`, or, as of a network's disk whose server is away, `unreachable` when files cannot be stored. */
  async fault(): Promise<"missing" | "unwritable" | "unreachable" | undefined> {
    try {
      const found = await stat(this.path).catch(ignoreAbsent);
      if (!found?.isDirectory() || (await this.#mount.isLost())) return "missing";
    } catch {
      return "unreachable";
    }
    return access(this.path, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => undefined,
      () => "unwritable",
    );
  }

  fileOf(id: string): string {
    return join(this.path, id);
  }

  partOf(id: string): string {
    return join(this.path, `${id}.part`);
  }

  /** Makes an empty part. */
  async create(id: string): Promise<void> {
    await this.#mount.require();
    const file = await open(this.partOf(id), "wx", closedMode);
    await file.close();
  }

  /** Stores a whole file in one step and syncs it; its name survives a power loss only after `sync`. */
  async store(id: string, bytes: Buffer): Promise<void> {
    if ((await stat(this.fileOf(id)).catch(this.#ignoreAbsent)) !== undefined)
      throw new Error(`The object ${id} is there already.`);
    const part = this.partOf(id);
    const file = await open(part, "wx", closedMode);
    try {
      await file.writeFile(bytes);
      await file.sync();
      await rename(part, this.fileOf(id));
    } catch (error) {
      await unlink(part).catch(this.#ignoreAbsent);
      throw error;
    } finally {
      await file.close();
    }
  }

  /** Opens a part to write; undefined when there is none, as when it was sealed. */
  async openPart(id: string): Promise<OpenPart | undefined> {
    const path = this.partOf(id);
    const found = await stat(path).catch(this.#ignoreAbsent);
    if (found === undefined) return undefined;
    const wasClosed = isClosed(found.mode);
    try {
      // First the mode, then the file: whoever seals the part in between sees that it may be written to.
      await chmod(path, openMode);
      return { file: await open(path, "r+"), wasClosed };
    } catch (error) {
      return this.#ignoreAbsent(error as NodeJS.ErrnoException);
    }
  }

  /** Closes a part. Its mode says so only when it has had no other writer meanwhile, as far as `isAlone` can say. */
  async closePart({ file, wasClosed }: OpenPart, isAlone: boolean): Promise<void> {
    try {
      if (wasClosed && isAlone) await file.chmod(closedMode);
    } finally {
      await file.close();
    }
  }

  /** Returns the bytes of a part or a stored file; undefined without one. */
  async size(id: string): Promise<number | undefined> {
    return (await this.#found(id))?.size;
  }

  /**
   * Syncs a whole part, renames it to its final name and opens it to read; undefined when there is none. May be repeated. Its name survives
   * a power loss only after `sync`. `requireRoom` throws where a copy of so many bytes does not fit.
   */
  async seal(id: string, requireRoom: (bytes: number) => Promise<void>): Promise<FileHandle | undefined> {
    // The bytes first: after a power loss whatever has a final name is whole.
    await this.#syncFile(this.partOf(id));
    await rename(this.partOf(id), this.fileOf(id)).catch(this.#ignoreAbsent);
    const found = await stat(this.fileOf(id)).catch(this.#ignoreAbsent);
    if (found === undefined) return undefined;
    if (!isClosed(found.mode)) {
      await requireRoom(found.size);
      await this.#replaceByCopy(id);
    }
    return this.open(id);
  }

  /** A stored file to read; undefined when there is none. */
  async open(id: string): Promise<FileHandle | undefined> {
    return open(this.fileOf(id), "r").catch(this.#ignoreAbsent);
  }

  /** Makes the names in the folder survive a power loss (fsync(2): a file's own sync does not cover its name). */
  async sync(): Promise<void> {
    const folder = await open(this.path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Removes a part; a missing one is ignored. */
  async removePart(id: string): Promise<void> {
    await unlink(this.partOf(id)).catch(this.#ignoreAbsent);
  }

  /** Removes all files of an id; missing ones are ignored. */
  async remove(id: string): Promise<void> {
    await this.removePart(id);
    await unlink(this.#copyOf(id)).catch(this.#ignoreAbsent);
    await unlink(this.fileOf(id)).catch(this.#ignoreAbsent);
  }

  /** Returns when an id's file was last written; undefined without one. */
  async lastChange(id: string): Promise<Date | undefined> {
    return (await this.#found(id))?.mtime;
  }

  /** Iterates over every id that has a file, in batches; other files are ignored. */
  async *ids(): AsyncGenerator<string[]> {
    await this.#mount.require();
    let batch = new Set<string>();
    for await (const entry of await opendir(this.path)) {
      const id = entry.name.replace(/\.(part|copy)$/, "");
      if (isObjectId(id)) batch.add(id);
      if (batch.size < batchSize) continue;
      yield [...batch];
      batch = new Set();
    }
    if (batch.size > 0) yield [...batch];
  }

  /** For `catch`: undefined where a file is not there, but a failure where the whole folder is gone, as of a lost mount. */
  readonly #ignoreAbsent = async (error: NodeJS.ErrnoException): Promise<undefined> => {
    ignoreAbsent(error);
    await this.#mount.require();
  };

  #copyOf(id: string): string {
    return join(this.path, `${id}.copy`);
  }

  async #found(id: string): Promise<{ size: number; mtime: Date } | undefined> {
    const find = (path: string) => stat(path).catch(this.#ignoreAbsent);
    // Objects first, since every range of a film reads one; and once more, in case the part was sealed in between.
    return (await find(this.fileOf(id))) ?? (await find(this.partOf(id))) ?? (await find(this.fileOf(id)));
  }

  async #syncFile(path: string): Promise<void> {
    const file = await open(path, "r").catch(this.#ignoreAbsent);
    try {
      await file?.sync();
    } finally {
      await file?.close();
    }
  }

  /** Shares the blocks where the file system can, and otherwise takes as much room again until the rename. */
  async #replaceByCopy(id: string): Promise<void> {
    const copy = this.#copyOf(id);
    await unlink(copy).catch(this.#ignoreAbsent);
    try {
      await copyFile(this.fileOf(id), copy, constants.COPYFILE_FICLONE);
      await chmod(copy, closedMode);
      await this.#syncFile(copy);
      await rename(copy, this.fileOf(id));
    } catch (error) {
      await unlink(copy).catch(this.#ignoreAbsent);
      throw error;
    }
  }
}

function isClosed(mode: number): boolean {
  return (mode & 0o222) === 0;
}

/** For `catch`: undefined where a file is not there; any other failure stays a failure. */
function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
