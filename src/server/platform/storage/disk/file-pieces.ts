import type { FileHandle } from "node:fs/promises";

/** Bytes of one piece; larger ones are fewer trips to the thread pool, and more memory for each reader that is slow. */
const pieceSize = 512 * 1024;

/** Buffers of downloads that have ended, for the next: the kernel clears the memory of a new one, which takes as long as the read. */
const spareBuffers: Buffer[] = [];
const maxSpare = 8;

/** Iterates over the bytes of a file as `StoredBytes.pieces` does, by one buffer, and closes the file. */
export async function* filePieces(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer, void> {
  const buffer = spareBuffers.pop() ?? Buffer.allocUnsafeSlow(pieceSize);
  try {
    for (let position = start; position <= end;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(pieceSize, end - position + 1), position);
      if (bytesRead === 0) throw new Error("The stored file is shorter than its row says.");
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
    // A reader that has left may still have the last piece.
    if (spareBuffers.length < maxSpare) spareBuffers.push(buffer);
  } finally {
    // Nothing was written, so nothing is lost when closing fails.
    await file.close().catch(() => {});
  }
}
