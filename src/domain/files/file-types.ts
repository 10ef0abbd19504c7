/** How many of a file's first bytes the content checks need. */
export const sniffLength = 4100;

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)));

/** Returns whether a file begins with these bytes. */
export const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte);

const heifBrands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1"];

/** Relatives of MP4 that hold no film: audio, books and Canon's raw pictures. */
const filmlessBrands = ["M4A ", "M4B ", "M4P ", "crx "];

/** The header object of Windows Media (ASF); whether a picture is inside is said far behind it. */
const asfHeader = [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0x00, 0xaa, 0x00, 0x62, 0xce, 0x6c];

// By hand because file-type is asynchronous, takes text that begins with "BM" for an image, and AVIF under the brand mif1 for HEIF.

/** Returns the media type of the raster image that a file's first bytes begin, or undefined (FILE-3). */
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

/** Returns the media type of the video that a file's first bytes begin, or undefined. */
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
  if (startsWith(head, asfHeader)) return "video/x-ms-wmv";
  if (ascii(head, 0, 4) === "FLV\u0001") return "video/x-flv";
  if (startsWith(head, [0x00, 0x00, 0x01, 0xba]) || startsWith(head, [0x00, 0x00, 0x01, 0xb3])) return "video/mpeg";
  if (isTransportStream(head, 0) || isTransportStream(head, 4)) return "video/mp2t";
  return undefined;
}

/** Three packets of 188 bytes, each behind a time of `timeBytes`: none in a broadcast (.ts), 4 in a camera's AVCHD (.mts, .m2ts). */
function isTransportStream(head: Uint8Array, timeBytes: number): boolean {
  return [0, 1, 2].every((packet) => head[timeBytes + packet * (timeBytes + 188)] === 0x47);
}

/** Returns whether the browser may display a type in place; anything else is served as a download (FILE-6). */
export function isShownInline(contentType: string): boolean {
  return (contentType.startsWith("image/") && contentType !== "image/svg+xml") || contentType.startsWith("video/");
}
