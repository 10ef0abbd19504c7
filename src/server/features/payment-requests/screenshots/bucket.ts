import { ProductError } from "#domain/errors/messages";
import { screenshotName } from "#domain/files/file-names";
import { imageType } from "#domain/files/file-types";
import type { Config } from "../../../config.ts";
import { requireStudent } from "../../../platform/http/access.ts";
import type { PictureReader } from "../../../platform/pictures/picture-reader.ts";
import type { UploadBucket } from "../../../platform/storage/bucket.ts";
import { fingerprintScreenshot } from "./fingerprint.ts";
import { findAllUnused, mayOpenScreenshot, unusedBytes } from "./queries.ts";

/** Returns the bucket of payment screenshots: any raster image, from verified students, private to owner and admin (FILE-2, FILE-3). */
export function screenshotBucket(config: Config, pictures: PictureReader): UploadBucket {
  return {
    name: "payment-screenshots",
    maxBytes: config.files.maxScreenshotBytes,
    checkUploader: requireStudent,
    contentType: imageType,
    wrongType: "screenshot_type_invalid",
    tooLarge: "screenshot_too_large",
    missingFile: "screenshot_missing",
    nameFor: ({ ownerId, filename, contentType, now }) => screenshotName(ownerId, now.getTime(), filename, contentType),
    fingerprint: (file) => fingerprintScreenshot(pictures, file),
    async checkViewer({ db }, viewer, { object }) {
      if (!(await mayOpenScreenshot(db, viewer.id, object.id))) throw new ProductError("not_allowed");
    },
    unused: findAllUnused,
    unusedBytes,
  };
}
