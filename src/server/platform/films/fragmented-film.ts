import type { LayoutBytes } from "../storage/bucket.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { collect, piecesOf, type ByteRange } from "../storage/object-bytes.ts";
import { maxTableBytes, readPieces, type StoredPiece } from "./fragments-box.ts";

/**
 * Opens the fragmented layout of a film whose file has the table of its pieces at `fragmentsAt` (FILE-16). Undefined when the file is
 * missing, or has not `size` bytes.
 */
export async function openFragmentedFilm(
  objects: ObjectStore,
  { id, size }: { id: string; size: number },
  fragmentsAt: number,
): Promise<LayoutBytes | undefined> {
  const file = await objects.open(id);
  if (file?.size !== size) {
    await file?.close();
    return undefined;
  }
  const table = await collect(file.pieces(fragmentsAt, Math.min(fragmentsAt + maxTableBytes, size) - 1));
  const pieces = readPieces(table, fragmentsAt);
  return {
    size: pieces.reduce((sum, { own, film }) => sum + own.length + film.length, 0),
    pieces: (start, end) => piecesOfAll(objects, id, sectionsOf(pieces, start, end)),
  };
}

/** Iterates over the sections of the file that a range of the layout consists of. */
function* sectionsOf(pieces: StoredPiece[], start: number, end: number): Generator<ByteRange, undefined> {
  let position = 0;
  for (const { own, film } of pieces) {
    for (const part of [own, film]) {
      const [from, to] = [Math.max(start - position, 0), Math.min(end + 1 - position, part.length)];
      if (from < to) yield { start: part.start + from, end: part.start + to };
      position += part.length;
      if (position > end) return;
    }
  }
}

async function* piecesOfAll(objects: ObjectStore, id: string, sections: Iterable<ByteRange>): AsyncGenerator<Buffer, void> {
  for (const section of sections) yield* piecesOf(objects, id, section);
}
