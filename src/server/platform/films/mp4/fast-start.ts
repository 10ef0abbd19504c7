import type { ByteRange } from "../../storage/object-bytes.ts";
import type { Box } from "./boxes.ts";
import { hasLateIndex, type Layout } from "./layout.ts";
import type { Movie, OffsetTable } from "./movie.ts";

/** A film with its index in front: bytes of the old file up to the first `mdat` or the index, the index, then the other bytes in their order. */
export interface FastStart {
  before: ByteRange;
  index: Buffer;
  after: ByteRange[];
}

/** The largest number of 32 bits. */
export const largest32 = 0xffff_ffff;

/** The most `mdat` boxes of a film that is rewritten, since each offset is looked for in all of them. */
const maxFilmBoxes = 16;

/** Boxes beside the index that hold offsets of their own, or samples of a fragmented film. */
const withOffsets = new Set(["moof", "mfra", "sidx", "meta"]);

/**
 * Returns how to put the index of a film in front without touching a sample: every chunk offset is moved by as much as its bytes are
 * (`stco` and `co64`, ISO/IEC 14496-12, section 8.7.5). Undefined for what is left as it is: an index in front already, fragments,
 * encryption, a file that is truncated or odd, offsets outside of `mdat` or in other places than these tables.
 */
export function planFastStart(layout: Layout): FastStart | undefined {
  const { boxes, index } = layout;
  const films = boxes.filter(({ type }) => type === "mdat");
  if (!hasLateIndex(layout)) return undefined;
  // A late index has a film in front of it.
  const [first, last] = [films[0]!, boxes.at(-1)!];
  const { box, bytes, movie } = index!;
  if (!isOrdinary(layout, movie, films, bytes)) return undefined;
  const { wide, move } = widenTables(movie.tables, bytes, box.start);
  const after = [
    { start: first.start, end: box.start },
    { start: box.end, end: last.end },
  ];
  return {
    before: { start: 0, end: first.start },
    index: moveOffsets(bytes, movie.tables, wide, move),
    after: after.filter(({ start, end }) => end > start),
  };
}

/** Whether nothing in the file keeps its film from being moved, whose `mdat` boxes are `films`. */
export function isOrdinary({ boxes, isTruncated, isOdd }: Layout, movie: Movie, films: Box[], bytes: Buffer): boolean {
  if (isTruncated || isOdd || !movie.isMovable || boxes.some(({ type }) => withOffsets.has(type))) return false;
  if (films.length > maxFilmBoxes || movie.tracks.some(({ entries }) => entries.some(({ isEncrypted }) => isEncrypted)))
    return false;
  const isInside = (offset: number): boolean => films.some(({ contentStart, end }) => offset >= contentStart && offset <= end);
  return movie.tables.every((table) => everyOffset(bytes, table, isInside));
}

type Move = (offset: number) => number;

/**
 * Returns the tables whose moved offsets need 64 bits. Wider tables make the index longer, which moves the film further: repeated until
 * no more are needed, at most once for each table.
 */
function widenTables(tables: OffsetTable[], bytes: Buffer, indexStart: number): { wide: Set<OffsetTable>; move: Move } {
  const wide = new Set<OffsetTable>();
  for (;;) {
    const growth = [...wide].reduce((sum, { count }) => sum + 4 * count, 0);
    // Stryker disable next-line Boundary: a chunk that would begin where the index does has no bytes.
    const move: Move = (offset) => offset + growth + (offset < indexStart ? bytes.length : 0);
    const fits = (offset: number): boolean => move(offset) <= largest32;
    const tooSmall = tables.filter(
      (table) => table.box.type === "stco" && !wide.has(table) && !everyOffset(bytes, table, fits),
    );
    if (tooSmall.length === 0) return { wide, move };
    for (const table of tooSmall) wide.add(table);
  }
}

/** Returns whether a condition holds for every offset of a table. A loop, since a table may have millions. */
export function everyOffset(
  bytes: Buffer,
  { box, count }: OffsetTable,
  holds: (offset: number, at: number) => boolean,
): boolean {
  const from = box.contentStart + 8;
  const isWide = box.type === "co64";
  for (let at = 0; at < count; at += 1) {
    const offset = isWide ? Number(bytes.readBigUInt64BE(from + 8 * at)) : bytes.readUInt32BE(from + 4 * at);
    if (!holds(offset, at)) return false;
  }
  return true;
}

/** Returns the index with every offset moved, the tables of `wide` as `co64`, and the sizes of the boxes around them. Tables come in their order. */
function moveOffsets(bytes: Buffer, tables: OffsetTable[], wide: Set<OffsetTable>, move: Move): Buffer {
  const source = Buffer.from(bytes);
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const table of tables) {
    const from = table.box.contentStart + 8;
    // Stryker disable next-line StringLiteral: four letters are the same bytes in UTF-8, the default.
    if (wide.has(table)) source.write("co64", table.box.start + 4, "latin1");
    pieces.push(source.subarray(copied, from), movedOffsets(bytes, table, wide.has(table), move));
    copied = from + table.count * (table.box.type === "stco" ? 4 : 8);
  }
  for (const [box, growth] of growthOf(tables, wide)) writeSize(source, box, box.end - box.start + growth);
  return Buffer.concat([...pieces, source.subarray(copied)]);
}

function movedOffsets(bytes: Buffer, table: OffsetTable, isWide: boolean, move: Move): Buffer {
  const hasLong = isWide || table.box.type === "co64";
  const moved = Buffer.alloc(table.count * (hasLong ? 8 : 4));
  everyOffset(bytes, table, (offset, at) => {
    if (hasLong) moved.writeBigUInt64BE(BigInt(move(offset)), 8 * at);
    else moved.writeUInt32BE(move(offset), 4 * at);
    return true;
  });
  return moved;
}

/** Returns by how many bytes each table and each box around it grows; boxes that stay as long are among them. */
function growthOf(tables: OffsetTable[], wide: Set<OffsetTable>): [Box, number][] {
  const grown = new Map<number, [Box, number]>();
  for (const table of tables) {
    for (const box of [...table.around, table.box]) {
      const before = grown.get(box.start)?.[1] ?? 0;
      grown.set(box.start, [box, before + (wide.has(table) ? 4 * table.count : 0)]);
    }
  }
  return [...grown.values()];
}

/** Writes the size also where an open end was stated: something follows now. */
function writeSize(bytes: Buffer, { start, contentStart }: Box, size: number): void {
  if (contentStart - start > 8) bytes.writeBigUInt64BE(BigInt(size), start + 8);
  else bytes.writeUInt32BE(size, start);
}
