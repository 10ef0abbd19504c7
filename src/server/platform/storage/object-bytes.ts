import type { ObjectStore } from "./object-store.ts";

/** Bytes of an object from `start` to `end`, both included. */
export interface Section {
  start: number;
  end: number;
}

/** Iterates over a section of an object; a piece is good until the next one. Throws when the object is gone. */
export async function* piecesOf(objects: ObjectStore, id: string, { start, end }: Section): AsyncGenerator<Buffer, void> {
  const object = await objects.open(id);
  // Stryker disable next-line StringLiteral: any error says so.
  if (object === undefined) throw new Error(`The object ${id} is gone.`);
  yield* object.pieces(start, end);
}

/** Returns the bytes of pieces, to be kept. */
export async function bytesOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const kept: Buffer[] = [];
  for await (const piece of pieces) kept.push(Buffer.from(piece));
  return Buffer.concat(kept);
}
