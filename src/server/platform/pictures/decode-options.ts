import type { SharpOptions } from "sharp";
import { maxImagePixels } from "#domain/files/image-shape";

export type Sharp = typeof import("sharp").default;

/** Animated and multi-page images: only the first frame is decoded. Damaged images are accepted, truncated ones are not. */
export const decodeOptions: SharpOptions = {
  limitInputPixels: maxImagePixels,
  failOn: "truncated",
  pages: 1,
  sequentialRead: true,
};
