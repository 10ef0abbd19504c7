import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ProductError } from "#domain/errors/messages";
import type { Transaction } from "../../../platform/db/database.ts";
import type { PictureFinding, PictureReader } from "../../../platform/pictures/picture-reader.ts";
import type { ArrivedFile } from "../../../platform/storage/bucket.ts";
import { insertFingerprintAndDuplicates } from "./duplicates.ts";
import type { Fingerprint } from "./queries.ts";

/**
 * Fingerprints an arrived screenshot. Returns a function that stores the fingerprint and the duplicates found, to be called in the
 * transaction that stores the object. Throws `screenshot_type_invalid` for a file that is not a whole image,
 * `screenshot_shape_invalid` and `screenshot_too_complex` for one that is not decoded here, and `unavailable` when no decoder was free.
 */
export async function fingerprintScreenshot(
  pictures: PictureReader,
  file: ArrivedFile,
): Promise<(tx: Transaction) => Promise<void>> {
  const picture = pictureColumns(await pictures.read(file.ownerId, file));
  const fingerprint: Fingerprint = { sha256: await sha256Of(file.path), ...picture };
  return (tx) => insertFingerprintAndDuplicates(tx, file.id, fingerprint);
}

async function sha256Of(path: string): Promise<Buffer> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), hash);
  return hash.digest();
}

function pictureColumns(finding: PictureFinding): Omit<Fingerprint, "sha256"> {
  switch (finding.kind) {
    case "decoded":
      if (finding.fingerprint === null) return withoutPicture;
      return { ...finding.fingerprint, picture: Buffer.from(finding.fingerprint.picture) };
    case "sound":
      return withoutPicture;
    case "broken":
      throw new ProductError("screenshot_type_invalid");
    case "shape":
      throw new ProductError("screenshot_shape_invalid");
    case "costly":
      throw new ProductError("screenshot_too_complex");
    case "unavailable":
      throw new ProductError("unavailable", { retryAfter: 10 });
  }
}

const withoutPicture = { picture: null, edges: null, bands: null };
