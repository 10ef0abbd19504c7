import { ProductError } from "#domain/errors/messages";
import { sniffLength } from "#domain/files/file-types";
import { violatesForeignKey, type Connection, type Transaction } from "../../db/database.ts";
import { together } from "../../db/together.ts";
import { transaction } from "../../db/transaction.ts";
import { secondsAfter } from "../../clock.ts";
import type { UploadBucket } from "../bucket.ts";
import type { ObjectStore } from "../object-store.ts";
import { findObject, insertObject, type StoredObject } from "../queries.ts";
import { safeFilename, typeOf } from "./type-check.ts";
import { deleteUnfinished } from "./unfinished-uploads.ts";

/** An upload whose last byte is stored. */
export interface ArrivedUpload {
  id: string;
  ownerId: string;
  /** Bytes that have arrived. */
  size: number;
  filename: string;
  bucket: UploadBucket;
}

/** How many taken names are tried before giving up. */
const nameTries = 50;

/**
 * Makes the bytes of an upload a stored object: first they are durable, then the row is inserted, so every row has its bytes, also
 * after a power loss. May be repeated. Throws `file_empty`, the bucket's `wrongType`, what `fingerprint` throws, `upload_not_found` when
 * the bytes are gone or not all there, and `not_signed_in` when the owner's account is.
 */
export async function completeUpload(
  connection: Connection,
  objects: ObjectStore,
  upload: ArrivedUpload,
  now: Date,
): Promise<StoredObject> {
  const { id, ownerId, bucket } = upload;
  const { size, contentType } = await inspect(objects, upload);
  const remember =
    bucket.fingerprint &&
    (await objects.withFile(id, async (path) => bucket.fingerprint?.({ id, ownerId, path, contentType })));
  return insertNamed(connection, upload, { content_type: contentType, size, created_at: now }, remember);
}

async function inspect(
  objects: ObjectStore,
  { id, size, bucket, filename }: ArrivedUpload,
): Promise<{ size: number; contentType: string }> {
  const bytes = await objects.complete(id);
  if (bytes === undefined) throw new ProductError("upload_not_found");
  try {
    if (bytes.size === 0) throw new ProductError("file_empty");
    // Two processes that completed it at once, or a store that did not list a part: what is there is no file.
    if (bytes.size !== size) throw new ProductError("upload_not_found");
    return { size: bytes.size, contentType: typeOf(bucket, await bytes.head(sniffLength), filename) };
  } finally {
    await bytes.close();
  }
}

type Remember = (tx: Transaction) => Promise<void>;
type Found = Pick<StoredObject, "content_type" | "size" | "created_at">;

/** The name's timestamp moves on by a millisecond where two objects would get the same name. */
async function insertNamed(
  connection: Connection,
  upload: ArrivedUpload,
  found: Found,
  remember: Remember | undefined,
): Promise<StoredObject> {
  const { id, ownerId, bucket } = upload;
  const filename = safeFilename(upload.filename);
  const contentType = found.content_type;
  for (let attempt = 0; attempt < nameTries; attempt += 1) {
    const name = bucket.nameFor({ id, ownerId, filename, contentType, now: secondsAfter(found.created_at, attempt / 1000) });
    const row = { ...found, id, bucket: bucket.name, name, filename, owner_id: ownerId, replaced_by: null, replaced_at: null };
    if (await insert(connection, row, remember).catch(ownerGone)) return row;
    const earlier = await findObject(connection, id);
    if (earlier) return earlier;
  }
  throw new Error(`No free name for object ${id}.`);
}

/** False when the id or the name is taken. */
function insert(connection: Connection, row: StoredObject, remember: Remember | undefined): Promise<boolean> {
  return transaction(connection, async (tx) => {
    const isNew = await insertObject(tx, row);
    if (isNew) await together(remember?.(tx) ?? Promise.resolve(), deleteUnfinished(tx, row.id));
    return isNew;
  });
}

function ownerGone(error: unknown): never {
  throw violatesForeignKey(error) ? new ProductError("not_signed_in") : error;
}
