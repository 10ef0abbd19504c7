import type { Dependencies } from "../../../dependencies.ts";
import type { Principal } from "../../http/access.ts";
import type { UploadBucket } from "../bucket.ts";
import { insertUnfinished, type UnfinishedUpload } from "./unfinished-uploads.ts";

/** Far above what a payment needs, far below what fills a disk. */
const newUploads = { name: "uploads", points: 30, seconds: 3600 };

/** The site's own page sends 64 MB at once. For each part a bucket may read and store 8 MB anew, however short it is. */
const uploadParts = { name: "upload-parts", points: 600, seconds: 3600 };

/** Bytes that the uploads of one account may have together before they are finished and used; at least two of the largest files always fit. */
const unfinishedBytes = { student: 200 * 1024 ** 2, admin: 50 * 1024 ** 3 };

/** Counts a student's new upload; throws `too_many_requests`. The admin fills the course and is not counted. */
export async function limitNewUploads(deps: Pick<Dependencies, "limits">, principal: Principal): Promise<void> {
  if (principal.role !== "admin") await deps.limits.consume(newUploads, principal.id);
}

/** Counts a part that a student sends of an upload; throws `too_many_requests`. */
export async function limitUploadParts(deps: Pick<Dependencies, "limits">, principal: Principal): Promise<void> {
  if (principal.role !== "admin") await deps.limits.consume(uploadParts, principal.id);
}

/**
 * Records an upload before its first byte. Throws `insufficient_storage` when its `size` does not fit on the disk beside the
 * reserve, also where it is only fetched from a bucket there to be fingerprinted, `uploads_unfinished` when its owner has too much
 * unfinished or unused already, and `not_signed_in` when the account is gone.
 */
export async function beginUpload(
  { db, objects, clock }: Pick<Dependencies, "db" | "objects" | "clock">,
  principal: Pick<Principal, "id" | "role">,
  bucket: UploadBucket,
  upload: Pick<UnfinishedUpload, "id" | "size" | "metadata">,
): Promise<void> {
  await objects.checkSpace(upload.size);
  if (bucket.fingerprint) await objects.checkFileSpace(upload.size);
  const maxBytes = Math.max(unfinishedBytes[principal.role], 2 * bucket.maxBytes);
  await insertUnfinished(db, bucket, { ...upload, owner_id: principal.id, created_at: clock.now() }, maxBytes);
}
