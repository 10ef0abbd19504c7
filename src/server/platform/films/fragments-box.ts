import { box, u32, u64 } from "./mp4/fragmented/write-box.ts";
import { maxFragments, type Piece } from "./mp4/fragmented/plan-fragments.ts";

/** Bytes of an entry of the table: how many bytes the piece has of its own, then where in the film others follow, and how many. */
const entryBytes = 16;

/** The most bytes that the table of pieces has. */
export const maxTableBytes = 4 + entryBytes * (maxFragments + 1);

/** Bytes of a piece of the fragmented layout: its own ones, and a range of the film that follows them. Both as they stand in the file. */
export interface StoredPiece {
  own: { start: number; length: number };
  film: { start: number; length: number };
}

/** Returns a box that players skip, to stand behind a film: a table of the pieces of its fragmented layout, then their own bytes. */
export function fragmentsBox(pieces: Piece[]): Buffer {
  const entries = pieces.map(({ head, start, end }) => Buffer.concat([u32(head.length), u64(start), u32(end - start)]));
  return box("free", u32(pieces.length), ...entries, ...pieces.map(({ head }) => head));
}

/** Returns the pieces of a box of `fragmentsBox` from its first bytes, at most `maxTableBytes` of its content, which begins at `contentStart`. */
export function readPieces(table: Buffer, contentStart: number): StoredPiece[] {
  const count = table.readUInt32BE(0);
  let start = contentStart + 4 + entryBytes * count;
  return Array.from({ length: count }, (_none, piece) => {
    const at = 4 + entryBytes * piece;
    const own = { start, length: table.readUInt32BE(at) };
    start += own.length;
    return { own, film: { start: Number(table.readBigUInt64BE(at + 4)), length: table.readUInt32BE(at + 12) } };
  });
}
