import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

export const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
};

/** A white PNG of one bit a pixel, a thousandth of what it decodes to; of the rows it states it may hold fewer. */
export function blankPng(width: number, height: number, rows = height): Buffer {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([1, 0, 0, 0, 0])]);
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows));
  return Buffer.concat([pngHead, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

/** A bitmap of 24 bits a pixel. */
export function bmp(width = 16, height = 20): Buffer {
  const head = Buffer.alloc(54);
  head.write("BM");
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, randomBytes(Math.ceil((width * 3) / 4) * 4 * height)]);
}

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint32(8 + body.length), Buffer.from(type), body]);
};

/** The boxes of a HEIC file, with noise for its picture. */
export function heic(): Buffer {
  const version = Buffer.alloc(4);
  const handler = box("hdlr", version, Buffer.from("\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0"));
  const meta = box("meta", version, handler, box("iloc", version, Buffer.alloc(4)));
  return Buffer.concat([box("ftyp", Buffer.from("heic\0\0\0\0mif1heic")), meta, box("mdat", randomBytes(900))]);
}

/** A GIF of two frames. */
export function animation(): Promise<Buffer> {
  const frames = Buffer.alloc(40 * 80 * 3, 200);
  return sharp(frames, { raw: { width: 40, height: 80, channels: 3, pageHeight: 40 } })
    .gif()
    .toBuffer();
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
