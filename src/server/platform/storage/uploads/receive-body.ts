import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { ProductError } from "#domain/messages";

/** Bytes gathered before one write; larger writes are fewer trips to the thread pool. */
const writeSize = 1024 * 1024;

/** Bytes after which the disk is asked to keep what it has, so that the sync of the whole file has little left to wait for. */
const syncSize = 16 * 1024 * 1024;

/** The sender went away, or was made to stop: what arrived until then is kept. */
export class SourceBrokenError extends Error {
  override name = "SourceBrokenError";
}

export interface Intake {
  source: Readable;
  file: FileHandle;
  /** Where in the file the first byte goes. */
  offset: number;
  /** How many bytes may come; one more throws what `tooMany` makes. */
  room: number;
  tooMany: () => ProductError;
  /** Sees every piece before it is written; throws to refuse the file. */
  look: (piece: Buffer) => void;
  /** Asked before so many bytes are written; rejects when the disk has no room for them. */
  claim: (bytes: number) => Promise<void>;
}

/**
 * Writes a body to a file at the speed of the disk with at most 2 MB in memory, and answers how many bytes it wrote. They
 * survive the end of this process; a power loss may take the last of them until the whole file is synced. Never ends the
 * source: on an error the rest of it is still there to be read. Throws `SourceBrokenError` after keeping what came, `tooMany`,
 * what `look` and `claim` throw, or the disk's error.
 */
export async function receiveBody(intake: Intake): Promise<number> {
  const writer = new BatchWriter(intake);
  let received = 0;
  try {
    for await (const piece of piecesOf(intake.source)) {
      received += piece.length;
      if (received > intake.room) throw intake.tooMany();
      intake.look(piece);
      if (writer.add(piece)) await writer.flush();
    }
  } catch (error) {
    await writer.finish();
    throw error;
  }
  await writer.finish();
  return received;
}

async function* piecesOf(source: Readable): AsyncGenerator<Buffer> {
  // A stream that was destroyed before it is read ends the iterator without an error.
  if (source.destroyed && !source.readableEnded) throw new SourceBrokenError();
  const pieces = source.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await pieces.next().catch((cause: unknown) => {
        throw new SourceBrokenError("The body ended early.", { cause });
      });
      if (next.done === true) return;
      yield next.value as Buffer;
    }
  } finally {
    // Takes its listeners off, without which the rest could not be read away.
    await pieces.return?.();
  }
}

/** Gathers pieces and writes them in order, one write at a time while the next batch is gathered. */
class BatchWriter {
  readonly #file: FileHandle;
  readonly #claim: Intake["claim"];
  #position: number;
  #batch: Buffer[] = [];
  #size = 0;
  #unsynced = 0;
  #isSyncing = false;
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();

  constructor({ file, offset, claim }: Intake) {
    this.#file = file;
    this.#claim = claim;
    this.#position = offset;
  }

  /** True when enough is gathered for a write. */
  add(piece: Buffer): boolean {
    this.#batch.push(piece);
    this.#size += piece.length;
    return this.#size >= writeSize;
  }

  /** Waits for the write before, then starts the next. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#size === 0) return;
    await this.#claim(this.#size);
    this.#writing = writeAll(this.#file, this.#batch, this.#position);
    // Heard by the next flush; this only keeps Node from calling it unhandled meanwhile.
    this.#writing.catch(() => {});
    this.#position += this.#size;
    this.#unsynced += this.#size;
    this.#batch = [];
    this.#size = 0;
    if (this.#unsynced >= syncSize) this.#syncInBackground();
  }

  /** Writes the rest. */
  async finish(): Promise<void> {
    await this.flush();
    await this.#writing;
    await this.#syncing;
  }

  /** One at a time; after a failure none follows, so that `finish` hears of it. */
  #syncInBackground(): void {
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    this.#unsynced = 0;
    this.#syncing = this.#file.datasync().then(() => void (this.#isSyncing = false));
    this.#syncing.catch(() => {});
  }
}

/** writev(2) may write less than asked; the rest follows, or the disk says why not. */
async function writeAll(file: FileHandle, pieces: Buffer[], position: number): Promise<void> {
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { bytesWritten } = await file.writev(pieces, position);
  if (bytesWritten === total) return;
  await writeAll(file, [Buffer.concat(pieces).subarray(bytesWritten)], position + bytesWritten);
}
