// Over 250 lines: one list of file types, each with the first bytes that make it and those that do not.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkScreenshotFile,
  checkVideoFile,
  downloadName,
  fileExtension,
  fileTooLarge,
  imageType,
  isDecodableShape,
  isShownInline,
  maxUploadBytes,
  safeExtension,
  screenshotName,
  sniffLength,
  videoType,
} from "./upload-rules.ts";

/** Bytes from texts (Latin-1) and numbers, filled up with zeros like the beginning of a real file. */
function head(...parts: (string | number[])[]): Uint8Array {
  const bytes = parts.flatMap((part) => (typeof part === "string" ? [...part].map((letter) => letter.charCodeAt(0)) : part));
  return Uint8Array.from([...bytes, ...Array<number>(64).fill(0)]);
}

const zeros = (count: number): number[] => Array<number>(count).fill(0);
const ftyp = (brand: string, ...compatible: string[]) => head([0, 0, 0, 28], "ftyp", brand, zeros(4), ...compatible);
const bmp = (headerSize: number) => head("BM", [0x46, 0, 0, 0], zeros(4), [0x36, 0, 0, 0], [headerSize, 0, 0, 0]);

describe("an image is known by its first bytes", () => {
  it.each<[string, Uint8Array]>([
    ["image/png", head([0x89], "PNG\r\n", [0x1a], "\n", zeros(3), [13], "IHDR")],
    ["image/jpeg", head([0xff, 0xd8, 0xff, 0xe0, 0, 16], "JFIF")],
    ["image/jpeg", head([0xff, 0xd8, 0xff, 0xe1, 0, 16], "Exif")],
    ["image/webp", head("RIFF", [0x24, 0, 0, 0], "WEBPVP8 ")],
    ["image/gif", head("GIF89a")],
    ["image/gif", head("GIF87a")],
    ["image/avif", ftyp("avif", "mif1", "miaf")],
    ["image/avif", ftyp("avis")],
    ["image/avif", ftyp("mif1", "avif")],
    ["image/heic", ftyp("heic", "mif1")],
    ["image/heic", ftyp("heix")],
    ["image/heic", ftyp("mif1", "heic")],
    ...[12, 16, 40, 52, 56, 64, 108, 124].map((size) => ["image/bmp", bmp(size)] as [string, Uint8Array]),
    ["image/tiff", head([0x49, 0x49, 0x2a, 0])],
    ["image/tiff", head([0x4d, 0x4d, 0, 0x2a])],
  ])("%s", (type, bytes) => {
    expect(imageType(bytes)).toBe(type);
    expect(videoType(bytes)).toBeUndefined();
  });
});

describe("a video is known by its first bytes", () => {
  it.each([
    ["video/mp4", ftyp("isom", "iso2", "avc1", "mp41")],
    ["video/mp4", ftyp("mp42")],
    ["video/mp4", ftyp("M4V ")],
    ["video/mp4", ftyp("isom", "avif")],
    ["video/quicktime", ftyp("qt  ")],
    ["video/quicktime", head([0, 0, 0, 8], "wide")],
    ["video/quicktime", head([0, 0, 0, 8], "moov")],
    ["video/quicktime", head([0, 0, 0, 8], "mdat")],
    ["video/webm", head([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84], "webm")],
    ["video/x-matroska", head([0x1a, 0x45, 0xdf, 0xa3, 0xa3, 0x42, 0x82, 0x88], "matroska")],
    ["video/x-msvideo", head("RIFF", [0, 1, 0, 0], "AVI LIST")],
    ["video/ogg", head("OggS", [0, 2])],
    ["video/mpeg", head([0, 0, 1, 0xba])],
    ["video/mpeg", head([0, 0, 1, 0xb3])],
    ["video/mp2t", head([0x47], zeros(187), [0x47], zeros(187), [0x47])],
  ])("%s", (type, bytes) => {
    expect(videoType(bytes)).toBe(type);
    expect(imageType(bytes)).toBeUndefined();
  });
});

describe("the brand of an ISO media file", () => {
  it.each(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1"])("%s is a HEIC image", (brand) => {
    expect([imageType(ftyp(brand)), videoType(ftyp(brand))]).toEqual(["image/heic", undefined]);
  });

  it.each(["M4A ", "M4B ", "M4P ", "crx "])("%j is neither an image nor a film", (brand) => {
    expect([imageType(ftyp(brand)), videoType(ftyp(brand))]).toEqual([undefined, undefined]);
  });

  it("is read in its place only, and AVIF is looked for behind it only", () => {
    expect(videoType(head([0, 0, 0, 8], "free", [0, 0, 0, 28], "ftypisom"))).toBeUndefined();
    expect(imageType(ftyp("mif1", ..."abcdefghijkl".split("").map((letter) => letter.repeat(4)), "avif"))).toBe("image/heic");
  });
});

describe("an image that is decoded", () => {
  it.each([
    [1, 1, true],
    [50, 1, true],
    [1, 50, true],
    [51, 1, false],
    [1, 51, false],
    [20_000, 5000, true],
    [5000, 20_000, true],
    [20_001, 1000, false],
    [10_000, 10_000, true],
    [10_001, 10_000, false],
    [0, 0, false],
    [0, 1, false],
  ])("of %i by %i pixels: %s", (width, height, isDecoded) => expect(isDecodableShape(width, height)).toBe(isDecoded));
});

describe("neither image nor video is", () => {
  it.each([
    ["nothing", new Uint8Array()],
    ["a single byte", Uint8Array.of(0x89)],
    ["an SVG", head('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ["an SVG behind an XML line", head('<?xml version="1.0"?><svg/>')],
    ["a page that is called .png", head("<!doctype html><script>alert(1)</script>")],
    ["a text that says PNG", head("PNG image, honestly")],
    ["a text that begins like a BMP", head("BMW and Mercedes are two makers of cars, and this is not a picture of one.")],
    ["a text that says JFIF", head("JFIF")],
    ["a PNG signature spoilt by a text transfer", head([0x89], "PNG\n", [0x1a], "\n")],
    ["a sound in RIFF", head("RIFF", [0x24, 0, 0, 0], "WAVEfmt ")],
    ["WEBP without RIFF", head("XXXX", [0x24, 0, 0, 0], "WEBPVP8 ")],
    ["AVI without RIFF", head("XXXX", [0x24, 0, 0, 0], "AVI LIST")],
    ["a text with GIF89a in it", head("xGIF89a")],
    ["a BMP with an unknown header", bmp(20)],
    ["the header of a BMP alone", head([0x58, 0x58, 0x46, 0, 0, 0], zeros(4), [0x36, 0, 0, 0], [40, 0, 0, 0])],
    ["half the signature of a TIFF", head([0x49, 0x49, 0x2a, 1])],
    ["half the signature of an MPEG film", head([0, 0, 1, 0xb4])],
    ["one packet of a transport stream", head([0x47], zeros(187), [0x47], zeros(187), [0x48])],
    ["two packets of a transport stream", head([0x47], zeros(187), [0x46], zeros(187), [0x47])],
    ["packets of a transport stream without the first", head([0x46], zeros(187), [0x47], zeros(187), [0x47])],
    ["a song in MP4's clothes", ftyp("M4A ", "mp42", "isom")],
    ["a PDF", head("%PDF-1.7")],
    ["a ZIP", head("PK", [3, 4])],
    ["a program", head([0x7f], "ELF")],
    ["GIF of no known version", head("GIF90a")],
  ])("%s", (_what, bytes) => {
    expect(imageType(bytes)).toBeUndefined();
    expect(videoType(bytes)).toBeUndefined();
  });

  it("a text, whatever it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from("<>abcsvgPNGimageBM!?/ \n")), maxLength: 200 }), (text) => {
        expect(imageType(head(text))).toBeUndefined();
      }),
    );
  });
});

it("looking at any bytes whatever ends in a type or in none", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: sniffLength }), (bytes) => {
      expect(imageType(bytes) ?? "image/").toMatch(/^image\//);
      expect(videoType(bytes) ?? "video/").toMatch(/^video\//);
    }),
  );
});

it.each([
  ["image/png", true],
  ["video/mp4", true],
  ["image/svg+xml", false],
  ["text/html", false],
  ["application/pdf", false],
])("%s is shown in place: %s", (type, shown) => expect(isShownInline(type)).toBe(shown));

describe("the form's own checks", () => {
  it("take a screenshot of an image type below 5 GB", () => {
    expect(() =>
      checkScreenshotFile({ name: "a", type: "image/heic", size: maxUploadBytes - 1 }, maxUploadBytes),
    ).not.toThrow();
  });
  it.each(["image/svg+xml", "application/pdf", "video/mp4", "text/html", ""])("refuse %j as a screenshot", (type) => {
    expect(() => checkScreenshotFile({ name: "a", type, size: 1 }, maxUploadBytes)).toThrow("Please upload an image file");
  });
  it.each([
    "IMG_1.HEIC",
    "a.heif",
    "a.png",
    "a.jpeg",
    "a.b.jpg",
    "a.jfif",
    "a.webp",
    "a.gif",
    "a.bmp",
    "a.tif",
    "a.tiff",
    "a.avif",
  ])("take %s, of which the system does not know the kind, by its extension", (name) => {
    expect(() => checkScreenshotFile({ name, type: "", size: 1 }, maxUploadBytes)).not.toThrow();
    expect(() => checkScreenshotFile({ name, type: "application/octet-stream", size: 1 }, maxUploadBytes)).not.toThrow();
  });
  it.each(["a.svg", "a.pdf", "png", "heic.", "a.heic.exe", "a.apng", "a.pngx", "a.jpeeg", "a.heix", "a.tifff"])(
    "refuse %s of an unknown kind",
    (name) => {
      expect(() => checkScreenshotFile({ name, type: "", size: 1 }, maxUploadBytes)).toThrow("Please upload an image file");
    },
  );
  it("believe the kind that is known more than the extension", () => {
    expect(() => checkScreenshotFile({ name: "a.png", type: "text/html", size: 1 }, maxUploadBytes)).toThrow(
      "Please upload an image file",
    );
  });
  it("refuse a screenshot of 5 GB, or of what the operator set lower", () => {
    expect(() => checkScreenshotFile({ name: "a", type: "image/png", size: maxUploadBytes }, maxUploadBytes)).toThrow(
      "File size must be less than 5GB",
    );
    expect(() => checkScreenshotFile({ name: "a", type: "image/png", size: 1024 }, 1024)).toThrow(
      "File size must be less than 1KB",
    );
  });
  it("name code and status of a file that is too large", () => {
    expect(fileTooLarge("video_too_large", 1024)).toMatchObject({ code: "video_too_large", status: 413 });
  });
  it("take a video of a video type below 5 GB, and nothing else", () => {
    expect(() => checkVideoFile({ type: "video/mp4", size: maxUploadBytes - 1 }, maxUploadBytes)).not.toThrow();
    for (const type of ["image/png", "application/video/mp4", ""]) {
      expect(() => checkVideoFile({ type, size: 1 }, maxUploadBytes)).toThrow("Please upload a video file");
    }
    expect(() => checkVideoFile({ type: "video/mp4", size: maxUploadBytes }, maxUploadBytes)).toThrow(
      "Video file size must be less than 5GB",
    );
  });
});

describe("the stored name of a screenshot", () => {
  const userId = "0b7d6c1e-8f0a-4f7e-9d52-0d6d3a1c2b3f";

  it("is user id, timestamp, original extension", () => {
    expect(screenshotName(userId, 1_790_000_000_000, "My receipt.final.PNG", "image/png")).toBe(`${userId}-1790000000000.png`);
  });

  it.each([
    ["receipt", ""],
    ["receipt.", ""],
    ["../../etc/passwd", ""],
    ["a.p/../g", ""],
    ["a.png\u0000.html", ".html"],
    ["a.toolongextension", ""],
    ["ใบเสร็จ.jpeg", ".jpeg"],
    [".png", ".png"],
  ])("takes from %j the extension %j", (filename, extension) => expect(fileExtension(filename)).toBe(extension));

  it.each([
    [maxUploadBytes, "File size must be less than 5GB"],
    [20 * 1024 ** 2, "File size must be less than 20MB"],
    [1536, "File size must be less than 1.5KB"],
    [1023, "File size must be less than 1023B"],
    [1024, "File size must be less than 1KB"],
    [1024 ** 3 + 1, "File size must be less than 1GB"],
    [5000 * 1024 ** 3, "File size must be less than 5000GB"],
  ])("names the limit that applies when a file reaches %d bytes", (limit, text) =>
    expect(() => checkScreenshotFile({ name: "a", type: "image/png", size: limit }, limit)).toThrow(text),
  );

  it("is one safe path segment, whatever the file was called", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 40 }), (codePoints) => {
        const filename = String.fromCodePoint(...codePoints);
        expect(screenshotName(userId, 1, filename, "image/jpeg")).toMatch(/^[0-9a-f-]{36}-1\.(jpe?g|jpe|jfif)$/);
      }),
    );
  });

  it.each([
    ["paid.JPEG", "image/jpeg", ".jpeg"],
    ["paid.html", "image/png", ".png"],
    ["paid.jpg", "image/png", ".png"],
    ["paid", "image/heic", ".heic"],
    ["lesson.exe", "video/mp4", ".mp4"],
    ["lesson.m4v", "video/mp4", ".m4v"],
    ["lesson.mkv", "application/unknown", ""],
  ])("stores %j of type %s with the extension %j", (filename, contentType, extension) =>
    expect(safeExtension(filename, contentType)).toBe(extension),
  );

  it.each([
    ["image/png", "png"],
    ["image/jpeg", "jpg jpeg jpe jfif"],
    ["image/webp", "webp"],
    ["image/gif", "gif"],
    ["image/avif", "avif"],
    ["image/heic", "heic heif"],
    ["image/bmp", "bmp dib"],
    ["image/tiff", "tif tiff"],
    ["video/mp4", "mp4 m4v"],
    ["video/quicktime", "mov qt"],
    ["video/webm", "webm"],
    ["video/x-matroska", "mkv"],
    ["video/x-msvideo", "avi"],
    ["video/ogg", "ogv ogg"],
    ["video/mpeg", "mpg mpeg"],
    ["video/mp2t", "ts mts m2ts"],
  ])("keeps the extensions of %s: %s, and takes the first for any other", (contentType, extensions) => {
    const fitting = extensions.split(" ");
    for (const extension of fitting) expect(safeExtension(`a.${extension}`, contentType)).toBe(`.${extension}`);
    expect(safeExtension("a.html", contentType)).toBe(`.${fitting[0]}`);
  });

  it.each([
    ["paid.PNG", "image/png", "paid.PNG"],
    ["paid.png.html", "image/png", "paid.png.html.png"],
    ["lesson", "video/webm", "lesson.webm"],
  ])("saves %j of type %s as %j", (filename, contentType, name) => expect(downloadName(filename, contentType)).toBe(name));
});
