import { stat } from "node:fs/promises";
import type { Sharp, SharpOptions } from "sharp";
import type { GreyPixels } from "#domain/picture-likeness";
import type { ArrivedFile } from "../../platform/storage/object-store.ts";

/** What libvips draws here; HEIC and BMP it does not, and of what it could these are all that anyone may send. */
const readers: Record<string, string> = {
  "image/png": "VipsForeignLoadPngFile",
  "image/jpeg": "VipsForeignLoadJpegFile",
  "image/webp": "VipsForeignLoadWebpFile",
  "image/gif": "VipsForeignLoadNsgifFile",
  "image/tiff": "VipsForeignLoadTiffFile",
  "image/avif": "VipsForeignLoadHeifFile",
};

/** A phone's screenshot has 4 million pixels, its camera's picture 12. */
const mostPixels = 16_000_000;

/** No picture of so many pixels needs more, and a file of gigabytes is not read for its picture. */
const mostBytes = 64 * 1024 ** 2;

const mostSeconds = 10;

/** In line and drawn: sharp's own limit does not count what a file makes it read before the first pixel. */
const mostSecondsInAll = 20;

type Draw = (path: string, options: SharpOptions) => Sharp;

let loaded: Promise<Draw | undefined> | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * A picture's pixels in grey, upright as its EXIF says, of an animation the first frame. Undefined for what cannot be drawn: broken,
 * cut off, of an unknown format, enormous, or too slow, or behind slow ones. One picture at a time, so that memory stays bounded.
 */
export async function readGreyPixels({ path, contentType }: ArrivedFile): Promise<GreyPixels | undefined> {
  if (readers[contentType] === undefined || (await stat(path)).size > mostBytes) return undefined;
  loaded ??= load();
  const draw = await loaded;
  if (draw === undefined) return undefined;
  return inTurn(() => drawn(draw, path).catch(() => undefined));
}

/** After its time an answer is not waited for, and what has not begun by then never does. */
function inTurn<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      resolve(undefined);
    }, mostSecondsInAll * 1000);
    last = last
      .then(() => (isLate ? undefined : action()))
      .then(resolve)
      .finally(() => clearTimeout(timer));
  });
}

async function drawn(draw: Draw, path: string): Promise<GreyPixels> {
  const { data, info } = await draw(path, { limitInputPixels: mostPixels, failOn: "truncated", pages: 1 })
    .timeout({ seconds: mostSeconds })
    .autoOrient()
    .flatten({ background: "#ffffff" })
    .toColourspace("b-w")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** The library comes with the first screenshot, so that a server without any does not carry it. */
async function load(): Promise<Draw | undefined> {
  try {
    const { default: sharp } = await import("sharp");
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({ operation: Object.values(readers) });
    return sharp;
  } catch (error) {
    // No screenshot may fail because this machine cannot draw; the same bytes are still found.
    process.emitWarning(`Re-encoded copies of screenshots are not found: ${(error as Error).message}`);
    return undefined;
  }
}
