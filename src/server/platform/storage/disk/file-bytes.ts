import type { FileHandle } from "node:fs/promises";
import type { StoredBytes } from "../object-store.ts";
import { filePieces } from "./file-pieces.ts";

/** Returns the bytes of an open file; undefined for what is no file. Closes it in that case and on a failure. */
export async function openFileBytes(file: FileHandle): Promise<StoredBytes | undefined> {
  try {
    const found = await file.stat();
    if (found.isFile()) return bytesOf(file, found.size);
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}

function bytesOf(file: FileHandle, size: number): StoredBytes {
  return {
    size,
    head: (length) => headOf(file, length),
    pieces: (start, end) => filePieces(file, start, end),
    close: () => file.close(),
  };
}

/** Returns a file's first bytes, at most `length`. */
export async function headOf(file: FileHandle, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position: 0 });
  return buffer.subarray(0, bytesRead);
}
