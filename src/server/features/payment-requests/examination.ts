import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { bandsOf, edgesOf, pictureOf } from "#domain/picture-likeness";
import type { Transaction } from "../../platform/db/database.ts";
import type { ArrivedFile } from "../../platform/storage/object-store.ts";
import type { Fingerprint } from "./likeness-queries.ts";
import { rememberFingerprint } from "./likenesses.ts";
import { readGreyPixels } from "./picture-reader.ts";

/**
 * Looks at an arrived screenshot; what it gives stores the fingerprint and what is like it, in the object's own transaction. No
 * file is refused here: one that cannot be drawn is known by its bytes alone.
 */
export async function examineScreenshot(file: ArrivedFile): Promise<(tx: Transaction) => Promise<void>> {
  const fingerprint: Fingerprint = { sha256: await sha256Of(file.path), ...(await pictureIn(file)) };
  return (tx) => rememberFingerprint(tx, file.id, fingerprint);
}

async function sha256Of(path: string): Promise<Buffer> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), hash);
  return hash.digest();
}

async function pictureIn(file: ArrivedFile): Promise<Omit<Fingerprint, "sha256">> {
  const pixels = await readGreyPixels(file);
  const picture = pixels && pictureOf(pixels);
  if (!picture) return { picture: null, edges: null, bands: null };
  return { picture: Buffer.from(picture), edges: edgesOf(picture), bands: bandsOf(picture) };
}
