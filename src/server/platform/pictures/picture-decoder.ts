import { perceptualFingerprint, type GreyPixels } from "#domain/payments/perceptual-fingerprint";
import { isDecodableShape } from "#domain/files/image-shape";
import { decodeOptions, type Sharp } from "./decode-options.ts";
import type { PictureJob, PictureReply } from "./picture-job.ts";
import { scanSlips } from "./slip-scan.ts";

/** The types that are decoded: libvips' loader and sharp's name of each. */
const decoders: Record<string, { loader: string; format: string }> = {
  "image/png": { loader: "VipsForeignLoadPngFile", format: "png" },
  "image/jpeg": { loader: "VipsForeignLoadJpegFile", format: "jpeg" },
  "image/webp": { loader: "VipsForeignLoadWebpFile", format: "webp" },
  "image/gif": { loader: "VipsForeignLoadNsgifFile", format: "gif" },
  "image/tiff": { loader: "VipsForeignLoadTiffFile", format: "tiff" },
  "image/avif": { loader: "VipsForeignLoadHeifFile", format: "heif" },
};

export function isDecodable(contentType: string): boolean {
  return contentType in decoders;
}

/** Loads the library with every loader blocked but those above. Throws where it has no build for this machine. */
export async function loadSharp(): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: Object.values(decoders).map(({ loader }) => loader) });
  return sharp;
}

/** The most pixels that a poster is wide and high (FILE-15). */
const posterSide = 1280;

/** Decodes an image if its header states a shape within the limits. Runs in a separate process: it may use gigabytes. */
export async function decodePicture(sharp: Sharp, { path, contentType, makes }: PictureJob): Promise<PictureReply> {
  try {
    // The limit on pixels would refuse a large image here with the same error as a broken one.
    const { format, width, height } = await sharp(path, { ...decodeOptions, limitInputPixels: false }).metadata();
    if (format !== decoders[contentType]?.format) return { kind: "broken" };
    if (!isDecodableShape(width, height)) return { kind: "shape" };
    if (makes === "slip") return { kind: "scanned", codes: await scanSlips(sharp, path, [width, height]) };
    if (makes === "poster") return { kind: "encoded", bytes: await posterOf(sharp, path) };
    return { kind: "decoded", fingerprint: perceptualFingerprint(await greyPixelsOf(sharp, path)) ?? null };
  } catch {
    return { kind: "broken" };
  }
}

/** Returns a small WebP file of the picture, without metadata such as the place where it was taken. */
function posterOf(sharp: Sharp, path: string): Promise<Buffer> {
  return sharp(path, decodeOptions)
    .autoOrient()
    .flatten({ background: "#ffffff" })
    .resize({ width: posterSide, height: posterSide, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
}

async function greyPixelsOf(sharp: Sharp, path: string): Promise<GreyPixels> {
  const { data, info } = await sharp(path, decodeOptions)
    .autoOrient()
    .flatten({ background: "#ffffff" })
    .toColourspace("b-w")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}
