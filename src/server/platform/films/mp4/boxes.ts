/** A box of ISO/IEC 14496-12, section 4.2. Offsets count from the start of the file or buffer that was read. */
export interface Box {
  type: string;
  start: number;
  /** Where its content begins: behind 8 bytes, or 16 with a size of 64 bits. */
  contentStart: number;
  end: number;
  /** Stated as running to the end of the file. */
  isOpenEnded: boolean;
}

/** Bytes of the longest header. */
export const headerLength = 16;

/**
 * Returns the box whose header is at the beginning of `head` and at `start` of what ends at `limit`. Undefined where no box can be: the
 * size is too small for the header, or too large for an exact number. Its `end` may lie behind `limit`.
 */
export function boxAt(head: Buffer, start: number, limit: number): Box | undefined {
  if (head.length < 8) return undefined;
  const stated = head.readUInt32BE(0);
  const isLong = stated === 1;
  if (isLong && head.length < headerLength) return undefined;
  const isOpenEnded = stated === 0;
  const size = isOpenEnded ? limit - start : isLong ? Number(head.readBigUInt64BE(8)) : stated;
  const contentStart = start + (isLong ? headerLength : 8);
  const end = start + size;
  if (end < contentStart || !Number.isSafeInteger(end)) return undefined;
  return { type: head.toString("latin1", 4, 8), start, contentStart, end, isOpenEnded };
}

/** Returns the boxes inside a range of a buffer; undefined when they do not fill it exactly. At most `most` of them are read. */
export function boxesIn(buffer: Buffer, from: number, to: number, most = 10_000): Box[] | undefined {
  const boxes: Box[] = [];
  let position = from;
  while (position < to) {
    const box = boxAt(buffer.subarray(position, Math.min(position + headerLength, to)), position, to);
    // QuickTime ends some lists with four bytes of zero.
    if (box === undefined && to - position === 4 && buffer.readUInt32BE(position) === 0) return boxes;
    if (box === undefined || box.end > to || boxes.length >= most) return undefined;
    boxes.push(box);
    position = box.end;
  }
  return boxes;
}

/** Returns the first box of a type inside another. */
export function childOf(buffer: Buffer, parent: Box, type: string): Box | undefined {
  return boxesIn(buffer, parent.contentStart, parent.end)?.find((box) => box.type === type);
}
