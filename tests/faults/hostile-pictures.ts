import { createDeflate, crc32 } from "node:zlib";
import { once } from "node:events";
import { somePicture } from "./student.ts";

/** Files that are offered as screenshots to do harm. */
export async function hostilePictures(): Promise<Record<string, Buffer>> {
  const picture = await somePicture();
  return {
    "1 x 15,999,999": await greyPng(1, 15_999_999),
    "15,999,999 x 1": await greyPng(15_999_999, 1),
    "20,000 x 20,000": await greyPng(20_000, 20_000, 1),
    truncated: picture.subarray(0, Math.floor(picture.length / 2)),
    "eight bytes of a PNG": picture.subarray(0, 8),
    "HTML behind a GIF head": Buffer.from("GIF89a<html><script>alert(document.domain)</script></html>"),
  };
}

/** A black PNG of a few kilobytes with `bits` per pixel. */
async function greyPng(width: number, height: number, bits: 1 | 8 = 8): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = await deflateZeros((Math.ceil((width * bits) / 8) + 1) * height);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

async function deflateZeros(length: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 });
  const pieces: Buffer[] = [];
  deflate.on("data", (piece: Buffer) => pieces.push(piece));
  const zeros = Buffer.alloc(1 << 20);
  for (let left = length; left > 0; left -= zeros.length) {
    if (!deflate.write(left < zeros.length ? zeros.subarray(0, left) : zeros)) await once(deflate, "drain");
  }
  deflate.end();
  await once(deflate, "end");
  return Buffer.concat(pieces);
}
