import { open, type FileHandle } from "node:fs/promises";
import { isDecodableShape } from "#domain/files/image-shape";

/** Bytes of the largest `meta` box that is checked; a phone's has 4 KB. */
const maxMetaBytes = 1024 ** 2;

/** The number of boxes allowed before `meta`. */
const maxBoxes = 16;

/** Returns whether a file of a type that is not decoded has the structure of that type. Reads only its headers. */
export async function isSoundContainer(path: string, contentType: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (contentType === "image/bmp") return isSoundBmp(await read(file, 0, 138), size);
    return contentType === "image/heic" && (await isSoundHeic(file, size));
  } finally {
    await file.close();
  }
}

const bitDepths = [1, 4, 8, 16, 24, 32];

/** Returns whether the headers of a Windows bitmap agree with each other and with the file's length. */
function isSoundBmp(head: Buffer, fileSize: number): boolean {
  if (head.length < 54) return false;
  const [pixelsFrom, headerSize] = [head.readUInt32LE(10), head.readUInt32LE(14)];
  if (pixelsFrom < 14 + headerSize || pixelsFrom >= fileSize) return false;
  const isCore = headerSize === 12;
  const width = isCore ? head.readUInt16LE(18) : head.readInt32LE(18);
  // A negative height means that rows run from the top down.
  const height = isCore ? head.readUInt16LE(20) : Math.abs(head.readInt32LE(22));
  const [planes, depth] = isCore
    ? [head.readUInt16LE(22), head.readUInt16LE(24)]
    : [head.readUInt16LE(26), head.readUInt16LE(28)];
  if (planes !== 1 || !bitDepths.includes(depth) || !isDecodableShape(width, height)) return false;
  const compression = isCore ? 0 : head.readUInt32LE(30);
  const isPacked = compression === 1 || compression === 2;
  const pixelBytes = isPacked ? head.readUInt32LE(34) : Math.ceil((width * depth) / 32) * 4 * height;
  return compression <= 6 && pixelBytes > 0 && pixelsFrom + pixelBytes <= fileSize;
}

/** Returns whether a HEIF file begins with `ftyp` and has a `meta` box with a handler and item locations, all within its length. */
async function isSoundHeic(file: FileHandle, fileSize: number): Promise<boolean> {
  let from = 0;
  for (let count = 0; count < maxBoxes; count += 1) {
    const box = boxAt(await read(file, from, 16), from, fileSize);
    if (box === undefined || (count === 0 && box.type !== "ftyp")) return false;
    if (box.type === "meta") return box.size <= maxMetaBytes && isSoundMeta(await read(file, from, box.size));
    from += box.size;
  }
  return false;
}

function isSoundMeta(meta: Buffer): boolean {
  const types = new Set<string>();
  // The box's header is followed by four bytes of version and flags.
  for (let from = 12; from < meta.length;) {
    const box = boxAt(meta.subarray(from, from + 16), from, meta.length);
    if (box === undefined) return false;
    types.add(box.type);
    from += box.size;
  }
  return types.has("hdlr") && types.has("iloc");
}

/** Returns the box whose header is in `head`, or undefined when it does not end by `limit`. Both offsets count from the same start. */
function boxAt(head: Buffer, from: number, limit: number): { type: string; size: number } | undefined {
  if (head.length < 8) return undefined;
  const type = head.toString("latin1", 4, 8);
  const stated = head.readUInt32BE(0);
  if (stated === 1 && head.length < 16) return undefined;
  const size = stated === 0 ? limit - from : stated === 1 ? Number(head.readBigUInt64BE(8)) : stated;
  return size >= 8 && from + size <= limit ? { type, size } : undefined;
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
  return buffer.subarray(0, bytesRead);
}
