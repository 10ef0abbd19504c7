import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imageType, isShownInline, sniffLength, videoType } from "./file-types.ts";

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
    ["video/x-ms-wmv", head([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0, 0xaa, 0, 0x62, 0xce, 0x6c])],
    ["video/x-flv", head("FLV", [1, 5, 0, 0, 0, 9])],
    ["video/mpeg", head([0, 0, 1, 0xba])],
    ["video/mpeg", head([0, 0, 1, 0xb3])],
    ["video/mp2t", head([0x47], zeros(187), [0x47], zeros(187), [0x47])],
    ["video/mp2t", head(zeros(4), [0x47], zeros(191), [0x47], zeros(191), [0x47])],
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
    ["half the signature of a Windows Media film", head([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11])],
    ["a text that begins with FLV", head("FLV is a format of Flash")],
    ["a text with GIF89a in it", head("xGIF89a")],
    ["a BMP with an unknown header", bmp(20)],
    ["the header of a BMP alone", head([0x58, 0x58, 0x46, 0, 0, 0], zeros(4), [0x36, 0, 0, 0], [40, 0, 0, 0])],
    ["half the signature of a TIFF", head([0x49, 0x49, 0x2a, 1])],
    ["half the signature of an MPEG film", head([0, 0, 1, 0xb4])],
    ["one packet of a transport stream", head([0x47], zeros(187), [0x47], zeros(187), [0x48])],
    ["two packets of a transport stream", head([0x47], zeros(187), [0x46], zeros(187), [0x47])],
    ["two packets of an AVCHD film", head(zeros(4), [0x47], zeros(191), [0x47], zeros(191), [0x48])],
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
