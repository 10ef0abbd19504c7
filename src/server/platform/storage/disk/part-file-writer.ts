import type { FileHandle } from "node:fs/promises";
import type { PartWriter } from "../object-store.ts";
import type { DiskSpace } from "./disk-space.ts";
import { headOf } from "./file-bytes.ts";
import type { ObjectFolder, OpenPart } from "./object-folder.ts";

/** Bytes gathered before one write; larger writes are fewer trips to the thread pool. */
const writeSize = 1024 * 1024;

/** Bytes after which the disk is asked to keep what it has, so that the sync of the whole file is left with little to do. */
const syncSize = 16 * 1024 * 1024;

/** Gathers pieces and writes them in order, one write at a time while the next batch is gathered: at most 2 MB in memory. */
export class PartFileWriter implements PartWriter {
  readonly #folder: ObjectFolder;
  readonly #part: OpenPart;
  readonly #space: DiskSpace;
  #position: number;
  #batch: Buffer[] = [];
  #size = 0;
  #unsynced = 0;
  #isSyncing = false;
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();

  constructor(folder: ObjectFolder, part: OpenPart, space: DiskSpace, offset: number) {
    this.#folder = folder;
    this.#part = part;
    this.#space = space;
    this.#position = offset;
  }

  head(length: number): Promise<Buffer> {
    return headOf(this.#part.file, length);
  }

  async write(piece: Buffer): Promise<void> {
    this.#batch.push(piece);
    this.#size += piece.length;
    if (this.#size >= writeSize) await this.#writeBatch();
  }

  async flush(): Promise<void> {
    await this.#writeBatch();
    await this.#writing;
    await this.#syncing;
  }

  close(isAlone: boolean): Promise<void> {
    return this.#folder.closePart(this.#part, isAlone);
  }

  /** Waits for the previous write, then starts the next. */
  async #writeBatch(): Promise<void> {
    await this.#writing;
    if (this.#size === 0) return;
    await this.#space.claim(this.#size);
    this.#writing = writeAll(this.#part.file, this.#batch, this.#position);
    // The next call awaits it; until then Node must not report the rejection as unhandled.
    this.#writing.catch(() => {});
    this.#position += this.#size;
    this.#unsynced += this.#size;
    this.#batch = [];
    this.#size = 0;
    if (this.#unsynced >= syncSize) this.#syncInBackground();
  }

  /** One at a time; after a failure none follows, so that `flush` rejects with it. */
  #syncInBackground(): void {
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    this.#unsynced = 0;
    this.#syncing = this.#part.file.datasync().then(() => void (this.#isSyncing = false));
    this.#syncing.catch(() => {});
  }
}

/** writev(2) may write less than asked: the rest follows, or fails with the reason. */
async function writeAll(file: FileHandle, pieces: Buffer[], position: number): Promise<void> {
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { bytesWritten } = await file.writev(pieces, position);
  if (bytesWritten === total) return;
  await writeAll(file, [Buffer.concat(pieces).subarray(bytesWritten)], position + bytesWritten);
}
