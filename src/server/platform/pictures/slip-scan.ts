import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Sharp as Picture } from "sharp";
import type { readBarcodes, ReaderOptions } from "zxing-wasm/reader";
import { parseSlipCode, type SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import { decodeOptions, type Sharp } from "./decode-options.ts";

/** Codes of one picture that are looked at: a slip has two at most, two slips side by side four, a hostile picture thousands. */
const maxCodes = 16;

/** Seconds of a core after which no further attempt begins. */
const maxCpuSeconds = 6;

/** Plain text: no other kind of code and no other character set is needed. */
const readerOptions: ReaderOptions = { formats: ["QRCode"], maxNumberOfSymbols: maxCodes, textMode: "Plain" };

interface Attempt {
  /** Pixels of the longer side; larger pictures are made smaller. */
  side: number;
  /** How many times larger a smaller picture is made at most. */
  enlarges?: number;
  /** Whether pictures of this length are tried; by default all are. */
  isFor?: (longer: number) => boolean;
  /** `shorter` is the pixels of the shorter side. */
  prepare?: (picture: Picture, shorter: number) => Picture;
}

/** Pixels of the shorter side below which there can be no code: the smallest has 21 by 21 squares. */
const minSide = 40;

/** The first attempt reads nearly every slip; measured with slips that were made hard to read, each of the others adds some. */
const attempts: Attempt[] = [
  { side: 1600 },
  // Only for pictures that were made smaller at first.
  { side: 4000, isFor: (longer) => longer > 1600 },
  { side: 1600, prepare: (picture) => picture.normalise() },
  {
    side: 2400,
    enlarges: 3,
    prepare: (picture) => picture.normalise().sharpen({ sigma: 6, m1: 6, m2: 12, y2: 80, y3: 80 }),
  },
  { side: 2400, enlarges: 3, prepare: (picture) => picture.normalise().sharpen({ sigma: 3, m1: 4, m2: 8, y2: 50, y3: 50 }) },
  {
    side: 1600,
    prepare: (picture, shorter) => {
      const window = Math.min(40, shorter);
      return picture.clahe({ width: window, height: window, maxSlope: 20 });
    },
  },
];

type ReadCodes = typeof readBarcodes;

let reader: Promise<ReadCodes> | undefined;

/** Loads the library for the first slip, since uploads need none. Its WebAssembly is read from the package: by itself it would be fetched from a public server. */
async function loadReader(): Promise<ReadCodes> {
  const library = await import("zxing-wasm/reader");
  const path = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
  const { buffer, byteOffset, byteLength } = await readFile(path);
  const wasmBinary = buffer.slice(byteOffset, byteOffset + byteLength);
  await library.prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return library.readBarcodes;
}

/**
 * Returns what the codes of the transfer slips on a picture say (SLIP-1), each once: those of the first attempt that reads any. Other codes
 * are passed over. `sides` are the picture's width and height. Throws for a broken image.
 */
export async function scanSlips(sharp: Sharp, path: string, sides: [number, number]): Promise<SlipCode[]> {
  const readCodes = await (reader ??= loadReader());
  const began = process.cpuUsage();
  const [shorter, longer] = sides.toSorted((one, other) => one - other) as [number, number];
  if (shorter < minSide) return [];
  for (const { side, enlarges = 1, prepare = unchanged, isFor } of attempts) {
    if (isFor?.(longer) === false) continue;
    if (process.cpuUsage(began).user > maxCpuSeconds * 1e6) break;
    const scale = Math.min(side / longer, enlarges);
    const size = Math.round(longer * scale);
    const picture = sharp(path, decodeOptions)
      .autoOrient()
      .flatten({ background: "#ffffff" })
      .resize({ width: size, height: size, fit: "inside" })
      .greyscale();
    const texts = await textsOn(readCodes, prepare(picture, Math.max(1, Math.floor(shorter * scale))));
    const codes = [...new Set(texts)].map(parseSlipCode).filter((code) => code !== undefined);
    if (codes.length > 0) return codes;
  }
  return [];
}

const unchanged = (picture: Picture): Picture => picture;

async function textsOn(readCodes: ReadCodes, picture: Picture): Promise<string[]> {
  const { data: greys, info } = await picture.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  // The library takes four bytes for each pixel and does not check their number.
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = 0xff000000 + greys[at * info.channels]! * 0x010101;
  const data = new Uint8ClampedArray(pixels.buffer);
  const results = await readCodes({ data, width, height, colorSpace: "srgb" }, readerOptions);
  return results.map(({ text }) => text);
}
