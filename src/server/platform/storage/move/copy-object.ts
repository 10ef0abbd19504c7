import { createHash } from "node:crypto";
import { collect } from "../object-bytes.ts";
import type { ObjectStore, PartWriter, StoredBytes } from "../object-store.ts";

/** Files up to this many bytes are stored by one request. */
const smallSize = 4 * 1024 * 1024;

/** What the database has of a stored file. */
export interface FileRecord {
  id: string;
  /** In bytes. */
  size: number;
  /** Known of screenshots and of films that were written anew. */
  sha256: Buffer | null;
}

export interface Digest {
  /** In bytes. */
  size: number;
  sha256: Buffer;
}

/** Returns size and SHA-256 of an object; undefined where there is none. */
export async function digestOf(store: ObjectStore, id: string): Promise<Digest | undefined> {
  const bytes = await store.open(id);
  if (bytes === undefined) return undefined;
  const hash = createHash("sha256");
  for await (const piece of piecesOf(bytes)) hash.update(piece);
  return { size: bytes.size, sha256: hash.digest() };
}

/**
 * Copies an object to a store that lacks it; it is there as soon as its bytes were found to be those that the database names. `missing` where the source has
 * none, `damaged` where it has others; then the target has none.
 */
export async function copyObject(
  from: ObjectStore,
  to: ObjectStore,
  file: FileRecord,
): Promise<"moved" | "missing" | "damaged"> {
  const source = await from.open(file.id);
  if (source === undefined) return "missing";
  if (source.size !== file.size) {
    await source.close();
    return "damaged";
  }
  return file.size <= smallSize ? copySmall(source, to, file) : copyLarge(from, source, to, file);
}

async function copySmall(source: StoredBytes, to: ObjectStore, { id, sha256 }: FileRecord): Promise<"moved" | "damaged"> {
  const bytes = await collect(piecesOf(source));
  if (sha256 !== null && !createHash("sha256").update(bytes).digest().equals(sha256)) return "damaged";
  await to.removePart(id);
  await to.checkSpace(bytes.length);
  await to.put(id, bytes);
  return "moved";
}

/** Goes on where a run was cut off. What that has left is compared as soon as it can be read. */
async function copyLarge(
  from: ObjectStore,
  source: StoredBytes,
  to: ObjectStore,
  file: FileRecord,
): Promise<"moved" | "damaged"> {
  const { id } = file;
  const offset = await offsetOf(to, file);
  const writer = await to.append(id, offset);
  if (writer === undefined) throw new Error(`The part ${id} is written by another process.`);
  const sha256 = await write(source, writer, offset);
  if (file.sha256 !== null && !sha256.equals(file.sha256)) {
    await to.removePart(id);
    return "damaged";
  }
  const stored = await to.complete(id);
  await stored?.close();
  // The store may have left out a part that it did not list.
  if (stored?.size !== file.size) {
    await to.remove(id);
    throw new Error(`The file ${id} could not be stored.`);
  }
  if (offset === 0 || (await digestOf(to, id))?.sha256.equals(sha256) === true) return "moved";
  // What was there before belonged to other bytes.
  await to.remove(id);
  return copyLarge(from, (await from.open(id))!, to, file);
}

/** Returns how many bytes a part has, which is begun where there is none. */
async function offsetOf(to: ObjectStore, { id, size }: FileRecord): Promise<number> {
  const offset = await to.size(id);
  if (offset !== undefined && offset <= size) return offset;
  await to.removePart(id);
  await to.begin(id);
  return 0;
}

/** Appends the bytes from `offset` on, and returns the SHA-256 of all. */
async function write(source: StoredBytes, writer: PartWriter, offset: number): Promise<Buffer> {
  const hash = createHash("sha256");
  let position = 0;
  try {
    for await (const piece of piecesOf(source)) {
      hash.update(piece);
      const known = Math.max(0, offset - position);
      // The writer keeps it for a while.
      if (known < piece.length) await writer.write(Buffer.from(piece.subarray(known)));
      position += piece.length;
    }
    await writer.flush();
  } finally {
    await writer.close(true);
  }
  return hash.digest();
}

/** Iterates over all bytes, and closes. */
async function* piecesOf(bytes: StoredBytes): AsyncGenerator<Buffer, void> {
  if (bytes.size > 0) yield* bytes.pieces(0, bytes.size - 1);
  await bytes.close();
}
