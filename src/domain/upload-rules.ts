import { errors, ProductError } from "./errors/messages.ts";

/** 5 GB, the highest limit of a bucket: the operator sets those of screenshots and videos up to it (FILE-1). */
export const maxUploadBytes = 5 * 1024 ** 3;

/** The buckets that browsers upload to. */
export const uploadBuckets = ["payment-screenshots", "course-videos", "lesson-attachments"] as const;
export type UploadBucketName = (typeof uploadBuckets)[number];

/** Of the others, the server makes the files itself: captions and posters. */
export const buckets = [...uploadBuckets, "lesson-captions", "lesson-posters"] as const;
export type BucketName = (typeof buckets)[number];

/** How many of a file's first bytes the content checks need. */
export const sniffLength = 4100;

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)));

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte);

const heifBrands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1"];

/** Relatives of MP4 that hold no film: audio, books and Canon's raw pictures. */
const filmlessBrands = ["M4A ", "M4B ", "M4P ", "crx "];

// By hand because file-type is asynchronous, takes text that begins with "BM" for an image, and AVIF under the brand mif1 for HEIF.

/** The raster image type found in a file's first bytes, or undefined (FILE-3). */
export function imageType(head: Uint8Array): string | undefined {
  if (startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "image/png";
  if (startsWith(head, [0xff, 0xd8, 0xff])) return "image/jpeg";
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "WEBP") return "image/webp";
  if (["GIF87a", "GIF89a"].includes(ascii(head, 0, 6))) return "image/gif";
  if (ascii(head, 4, 8) === "ftyp") return heifType(ascii(head, 8, 12), ascii(head, 16, 64));
  if (ascii(head, 0, 2) === "BM" && isBmpHeader(head)) return "image/bmp";
  if (startsWith(head, [0x49, 0x49, 0x2a, 0x00]) || startsWith(head, [0x4d, 0x4d, 0x00, 0x2a])) return "image/tiff";
  return undefined;
}

/** Many a text begins with "BM", so the size of the second header counts too: BITMAPCOREHEADER to BITMAPV5HEADER. */
function isBmpHeader(head: Uint8Array): boolean {
  return [12, 16, 40, 52, 56, 64, 108, 124].some((size) => startsWith(head.subarray(14), [size, 0, 0, 0]));
}

function heifType(brand: string, compatible: string): string | undefined {
  if (brand === "avif" || brand === "avis") return "image/avif";
  if (!heifBrands.includes(brand)) return undefined;
  return compatible.includes("avif") ? "image/avif" : "image/heic";
}

/** The largest camera picture, and the longest scrolled screenshot, with room to spare. */
export const maxImagePixels = 100_000_000;
const maxImageSide = 20_000;
const maxImageRatio = 50;

/** Whether an image of this size is decoded: limits on its area and on its shape, since either makes work. */
export function isDecodableShape(width: number, height: number): boolean {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return short >= 1 && long <= maxImageSide && long <= short * maxImageRatio && width * height <= maxImagePixels;
}

/** The video type found in a file's first bytes, or undefined. */
export function videoType(head: Uint8Array): string | undefined {
  if (ascii(head, 4, 8) === "ftyp") {
    const brand = ascii(head, 8, 12);
    // Stryker disable next-line StringLiteral: any text that does not name AVIF finds the same brands.
    if (heifType(brand, "") || filmlessBrands.includes(brand)) return undefined;
    return brand === "qt  " ? "video/quicktime" : "video/mp4";
  }
  if (["moov", "mdat", "wide"].includes(ascii(head, 4, 8))) return "video/quicktime";
  if (startsWith(head, [0x1a, 0x45, 0xdf, 0xa3])) {
    return ascii(head, 0, 64).includes("webm") ? "video/webm" : "video/x-matroska";
  }
  if (ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "AVI ") return "video/x-msvideo";
  if (ascii(head, 0, 4) === "OggS") return "video/ogg";
  if (startsWith(head, [0x00, 0x00, 0x01, 0xba]) || startsWith(head, [0x00, 0x00, 0x01, 0xb3])) return "video/mpeg";
  if (head[0] === 0x47 && head[188] === 0x47 && head[376] === 0x47) return "video/mp2t";
  return undefined;
}

/** Types that the browser may show in place; anything else is served as a download (FILE-6). */
export function isShownInline(contentType: string): boolean {
  return (contentType.startsWith("image/") && contentType !== "image/svg+xml") || contentType.startsWith("video/");
}

/** What a file's name and the browser say of it, before anyone has looked inside. */
export interface ChosenFile {
  name: string;
  /** Empty where the system does not know the kind, as HEIC on many. */
  type: string;
  size: number;
}

const imageExtensions = /\.(png|jpe?g|jfif|webp|gif|avif|hei[cf]|bmp|tiff?)$/;

function looksLikeImage({ name, type }: ChosenFile): boolean {
  const isUnknown = type === "" || type === "application/octet-stream";
  if (isUnknown) return imageExtensions.test(fileExtension(name));
  return type.startsWith("image/") && type !== "image/svg+xml";
}

/** The error of a file that is not smaller than `limit` bytes: the specified text, which says 5GB, with the limit that applies. */
export function fileTooLarge(code: TooLargeCode, limit: number): ProductError {
  return new ProductError(code, { text: errors[code].text.replace("5GB", sizeText(limit)) });
}

/** The codes whose text names the limit. */
export type TooLargeCode = "screenshot_too_large" | "video_too_large" | "attachment_too_large";

/** A size in the largest unit that is not larger, with at most one decimal, rounded down: 20971520 is "20MB". */
function sizeText(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${Math.floor((bytes / 1024 ** power) * 10) / 10}${units[power]}`;
}

/** Checks a chosen screenshot before anything is sent (PAY-8): throws `screenshot_type_invalid`, or `screenshot_too_large` from `limit` bytes on. */
export function checkScreenshotFile(file: ChosenFile, limit: number): void {
  if (!looksLikeImage(file)) throw new ProductError("screenshot_type_invalid");
  if (file.size >= limit) throw fileTooLarge("screenshot_too_large", limit);
}

/** Checks a chosen video before anything is sent: throws `video_type_invalid`, or `video_too_large` from `limit` bytes on. */
export function checkVideoFile(file: Pick<ChosenFile, "type" | "size">, limit: number): void {
  if (!file.type.startsWith("video/")) throw new ProductError("video_type_invalid");
  if (file.size >= limit) throw fileTooLarge("video_too_large", limit);
}

/** The extension of a client's file name, lower case with its dot, or empty; only letters and digits survive. */
export function fileExtension(filename: string): string {
  const match = /\.([A-Za-z0-9]{1,10})$/.exec(filename);
  return match?.[1] ? `.${match[1].toLowerCase()}` : "";
}

/** Extensions that fit each type that `imageType` and `videoType` find; the first is the type's own. */
const extensionsByType: Record<string, readonly string[]> = {
  "image/png": [".png"],
  "image/jpeg": [".jpg", ".jpeg", ".jpe", ".jfif"],
  "image/webp": [".webp"],
  "image/gif": [".gif"],
  "image/avif": [".avif"],
  "image/heic": [".heic", ".heif"],
  "image/bmp": [".bmp", ".dib"],
  "image/tiff": [".tif", ".tiff"],
  "video/mp4": [".mp4", ".m4v"],
  "video/quicktime": [".mov", ".qt"],
  "video/webm": [".webm"],
  "video/x-matroska": [".mkv"],
  "video/x-msvideo": [".avi"],
  "video/ogg": [".ogv", ".ogg"],
  "video/mpeg": [".mpg", ".mpeg"],
  "video/mp2t": [".ts", ".mts", ".m2ts"],
};

/** The file name's own extension where it fits the type found in the file, else the type's own; empty for an unknown type. */
export function safeExtension(filename: string, contentType: string): string {
  const fitting = extensionsByType[contentType] ?? [];
  const own = fileExtension(filename);
  return fitting.includes(own) ? own : (fitting[0] ?? "");
}

/** The name to save a file under: a name whose extension does not fit the file's type gets the type's own after it. */
export function downloadName(filename: string, contentType: string): string {
  const extension = safeExtension(filename, contentType);
  return extension === fileExtension(filename) ? filename : `${filename}${extension}`;
}

/** Returns the stored name of a screenshot: user id, timestamp in milliseconds, and an extension that fits its type (FILE-4). */
export function screenshotName(userId: string, timestamp: number, filename: string, contentType: string): string {
  return `${userId}-${timestamp}${safeExtension(filename, contentType)}`;
}
