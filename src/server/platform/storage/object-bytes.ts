import type { ObjectStore } from "./object-store.ts";

/** Bytes from `start` up to `end`, which is not included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Iterates over a range of an object; a piece is good until the next one. Throws when the object is gone. */
export async function* piecesOf(
  objects: Pick<ObjectStore, "open">,
  id: string,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer, void> {
  const object = await objects.open(id);
  // Stryker disable next-line StringLiteral: any error says so.
  if (object === undefined) throw new Error(`The object ${id} is gone.`);
  yield* object.pieces(start, end - 1);
}

/** Returns the bytes of pieces, to be kept. */
export async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const kept: Buffer[] = [];
  for await (const piece of pieces) kept.push(Buffer.from(piece));
  return Buffer.concat(kept);
}
