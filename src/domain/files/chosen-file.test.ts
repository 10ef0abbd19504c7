import { describe, expect, it } from "vitest";
import { maxUploadBytes } from "./buckets.ts";
import { checkScreenshotFile, checkVideoFile, fileTooLarge } from "./chosen-file.ts";

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

  it.each([
    [maxUploadBytes, "File size must be less than 5GB"],
    [20 * 1024 ** 2, "File size must be less than 20MB"],
    [1536, "File size must be less than 1.5KB"],
    [1023, "File size must be less than 1023B"],
    [1024, "File size must be less than 1KB"],
    [1024 ** 3 + 1, "File size must be less than 1GB"],
    [5000 * 1024 ** 3, "File size must be less than 5000GB"],
  ])("name the limit that applies when a file reaches %d bytes", (limit, text) =>
    expect(() => checkScreenshotFile({ name: "a", type: "image/png", size: limit }, limit)).toThrow(text),
  );
});
