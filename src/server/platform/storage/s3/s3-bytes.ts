import { buffer } from "node:stream/consumers";
import type { StoredBytes } from "../object-store.ts";
import { dropPiece } from "../../memory/piece-garbage.ts";
import type { S3Bucket } from "./s3-bucket.ts";
import { storeFault } from "./s3-client.ts";

/** Returns the bytes of an object of this size, each range by a request of its own. */
export function bytesOf(bucket: S3Bucket, key: string, size: number): StoredBytes {
  return {
    size,
    async head(length) {
      if (size === 0) return Buffer.alloc(0);
      return buffer(piecesOf(bucket, key, 0, Math.min(length, size) - 1));
    },
    pieces: (start, end) => piecesOf(bucket, key, start, end),
    close: () => Promise.resolve(),
  };
}

async function* piecesOf(bucket: S3Bucket, key: string, start: number, end: number): AsyncGenerator<Buffer, void> {
  if (start > end) return;
  const body = await bucket.read(key, { start, end });
  let missing = end - start + 1;
  try {
    for await (const piece of (body ?? []) as AsyncIterable<Buffer>) {
      missing -= piece.length;
      yield piece;
      dropPiece(piece);
    }
  } catch (cause) {
    throw storeFault(cause);
  } finally {
    body?.destroy();
  }
  if (missing > 0) throw new Error(`The stored object ${key} is shorter than its row says.`);
}
