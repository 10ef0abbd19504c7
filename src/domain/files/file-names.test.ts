import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { downloadName, fileExtension, safeExtension, screenshotName } from "./file-names.ts";

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
    ["video/x-ms-wmv", "wmv asf"],
    ["video/x-flv", "flv"],
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
