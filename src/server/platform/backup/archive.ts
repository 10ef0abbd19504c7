import { createHash, type Hash } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { extract, pack } from "tar-stream";
import * as z from "zod";
import { ProductError } from "#domain/errors/messages";

/** The last entry: the digest of all before it. An archive without it was cut off. */
const endName = "end.json";
/** In bytes. */
const maxEndBytes = 1000;
const End = z.object({ sha256: z.string() });

/** A backup that cannot be made or used; the message is one line for the operator. */
export class BackupError extends Error {
  override name = "BackupError";
}

type Bytes = Iterable<Buffer> | AsyncIterable<Buffer>;

export interface ArchiveEntry {
  name: string;
  /** In bytes. */
  size: number;
  /** To be read to its end, before the next entry. */
  bytes: AsyncIterable<Buffer>;
}

/** Writes a tar file (POSIX.1-2001, pax) that ends with the SHA-256 of the names, sizes and bytes of all its entries. */
export class ArchiveWriter {
  readonly #tar = pack();
  readonly #digest = createHash("sha256");
  readonly #sink: Writable;
  readonly #written: Promise<void>;

  constructor(sink: Writable) {
    this.#sink = sink;
    this.#written = pipeline(this.#tar, sink);
    // `add` and `finish` report it.
    this.#written.catch(() => {});
  }

  /** Adds an entry of exactly `size` bytes. Resolves when all were taken; rejects when the sink has failed. */
  async add(name: string, size: number, bytes: Bytes): Promise<void> {
    try {
      const entry = this.#tar.entry({ name, size, mode: 0o600 });
      await Promise.race([pipeline(digested(name, size, bytes, this.#digest), entry), this.#written]);
    } catch (error) {
      // What the entry meets then is only that the archive was closed.
      throw this.#sink.errored ?? error;
    }
  }

  /** Ends the archive. Resolves when the sink has all of it. */
  async finish(): Promise<void> {
    const end = Buffer.from(JSON.stringify({ sha256: this.#digest.digest("hex") }));
    this.#tar.entry({ name: endName, mode: 0o600 }, end);
    this.#tar.finalize();
    await this.#written;
  }
}

/**
 * Iterates over the entries of an archive. Throws `BackupError` for one that is damaged or ends early, which may show at the very
 * end, and the error of a store that goes away: whatever was read must not count before the iteration is over.
 */
export async function* readArchive(source: Readable): AsyncGenerator<ArchiveEntry> {
  const tar = extract();
  pipeline(source, tar).catch(() => {});
  const digest = createHash("sha256");
  let isWhole = false;
  try {
    for await (const entry of orDamaged(tar)) {
      if (isWhole) refuse();
      const { name, size } = entry.header;
      if (name === endName) {
        if (size > maxEndBytes) refuse();
        isWhole = (await readEnd(entry)).sha256 === digest.digest("hex");
        if (!isWhole) refuse();
        continue;
      }
      const bytes = digested(name, size, orDamaged(entry as AsyncIterable<Buffer>), digest);
      yield { name, size, bytes };
      for await (const _ of bytes);
    }
  } finally {
    source.destroy();
  }
  if (!isWhole) refuse();
}

async function readEnd(entry: AsyncIterable<unknown>): Promise<z.output<typeof End>> {
  try {
    return End.parse(JSON.parse(await text(entry as AsyncIterable<Buffer>)));
  } catch (error) {
    refuse(error);
  }
}

/** Passes an entry's bytes on and counts its name, size and bytes into the digest. */
async function* digested(name: string, size: number, bytes: Bytes, digest: Hash): AsyncGenerator<Buffer> {
  digest.update(`${name}\n${size}\n`);
  for await (const piece of bytes) {
    digest.update(piece);
    yield piece;
  }
}

/** Passes entries or bytes on; throws `BackupError` where the archive cannot be read. */
async function* orDamaged<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts;
  } catch (error) {
    refuse(error);
  }
}

function refuse(cause?: unknown): never {
  // Nothing is wrong with a backup whose store went away.
  if (cause instanceof ProductError) throw cause;
  throw new BackupError("The backup is damaged or was cut off.", { cause });
}
