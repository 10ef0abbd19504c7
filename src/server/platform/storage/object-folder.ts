import { mkdir, open, opendir, stat, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** How many ids are handed on at once when the folder is walked. */
const batchSize = 500;

/**
 * The folder of all bytes: a file named by the object's id, from the first byte of its upload on, and beside it `id.json` while
 * a resumable upload is unfinished. Nothing is ever renamed, so a file's name can be made durable before its bytes arrive.
 */
export class ObjectFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Makes the folder, closed to other accounts of the machine. */
  async prepare(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
  }

  fileOf(id: string): string {
    return join(this.path, id);
  }

  stateOf(id: string): string {
    return join(this.path, `${id}.json`);
  }

  /** A new, empty file to write. */
  create(id: string): Promise<FileHandle> {
    return open(this.fileOf(id), "wx", 0o600);
  }

  /** An existing file to read; undefined when there is none. */
  async open(id: string): Promise<FileHandle | undefined> {
    return open(this.fileOf(id), "r").catch(ignoreAbsent);
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

  /** Removes an object's files, the state first, so that no reader takes a half for a whole; none there is fine. */
  async remove(id: string): Promise<void> {
    await unlink(this.stateOf(id)).catch(ignoreAbsent);
    await unlink(this.fileOf(id)).catch(ignoreAbsent);
  }

  /** When the last byte of an upload arrived, or its state was written; undefined when neither file is there. */
  async lastChange(id: string): Promise<Date | undefined> {
    const found = (await stat(this.fileOf(id)).catch(ignoreAbsent)) ?? (await stat(this.stateOf(id)).catch(ignoreAbsent));
    return found?.mtime;
  }

  /** Every id that has a file, in batches; foreign files are left out. */
  async *ids(): AsyncGenerator<string[]> {
    let batch = new Set<string>();
    for await (const entry of await opendir(this.path)) {
      const id = entry.name.replace(/\.json$/, "");
      if (uuid.test(id)) batch.add(id);
      if (batch.size < batchSize) continue;
      yield [...batch];
      batch = new Set();
    }
    if (batch.size > 0) yield [...batch];
  }
}

export function isObjectId(text: string): boolean {
  return uuid.test(text);
}

/** For `catch`: undefined where a file is not there; any other failure stays a failure. */
export function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
