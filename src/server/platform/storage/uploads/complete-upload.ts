import { basename } from "node:path";
import { ProductError } from "#domain/messages";
import { violatesForeignKey, type Connection, type Transaction } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import { secondsAfter } from "../../clock.ts";
import type { ObjectFolder } from "../disk/object-folder.ts";
import type { Bucket } from "../object-store.ts";
import { findObject, insertObject, type StoredObject } from "../queries.ts";
import { headOf, typeOf } from "./type-check.ts";
import { deleteUnfinished } from "./unfinished-uploads.ts";

/** An upload whose last byte is on disk. */
export interface ArrivedUpload {
  id: string;
  ownerId: string;
  filename: string;
  bucket: Bucket;
}

/** How many equal names are stepped over before giving up. */
const nameTries = 50;

/**
 * Turns the bytes of an upload into a stored object: sealed and synced to disk first, then its row, so that a row always has
 * its bytes, also after a power loss, and they never change. Doing it twice is the same as once. Throws `file_empty`, the bucket's `wrongType`,
 * `upload_not_found` when the bytes are gone and `not_signed_in` when the owner's account is.
 */
export async function complete(
  connection: Connection,
  folder: ObjectFolder,
  upload: ArrivedUpload,
  now: Date,
): Promise<StoredObject> {
  const file = await folder.seal(upload.id);
  if (file === undefined) throw new ProductError("upload_not_found");
  try {
    const { size } = await file.stat();
    if (size === 0) throw new ProductError("file_empty");
    const content_type = typeOf(upload.bucket, await headOf(file));
    await file.sync();
    await folder.sync();
    const remember = await upload.bucket.fingerprint?.({
      id: upload.id,
      ownerId: upload.ownerId,
      path: folder.fileOf(upload.id),
      contentType: content_type,
    });
    return await insertNamed(connection, upload, { content_type, size, created_at: now }, remember);
  } finally {
    await file.close();
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
    const row = { ...found, id, bucket: bucket.name, name, filename, owner_id: ownerId };
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
    if (isNew) await remember?.(tx);
    if (isNew) await deleteUnfinished(tx, row.id);
    return isNew;
  });
}

function ownerGone(error: unknown): never {
  throw violatesForeignKey(error) ? new ProductError("not_signed_in") : error;
}

/** A client's file name without folders, control and invisible characters, at most 200 characters, the extension kept. */
export function safeFilename(filename: string): string {
  const name = basename(filename.replaceAll("\\", "/")).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "");
  const characters = [...name.trim()];
  return characters.length > 0 ? characters.slice(-200).join("") : "file";
}
