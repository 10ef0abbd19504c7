/** Bytes of a box in front of its content. */
export const boxHeaderBytes = 8;

/** Returns a box (ISO/IEC 14496-12, section 4.2) with this content. */
export function box(type: string, ...content: Uint8Array[]): Buffer {
  const length = content.reduce((sum, piece) => sum + piece.length, boxHeaderBytes);
  return Buffer.concat([u32(length), Buffer.from(type, "latin1"), ...content], length);
}

/** Returns numbers as 32 bits each; negative ones as two's complement. */
export function u32(...numbers: number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * numbers.length);
  numbers.forEach((number, at) => bytes.writeInt32BE(number | 0, 4 * at));
  return bytes;
}

/** Returns a number as 64 bits. */
export function u64(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}
