import type { BucketName } from "#domain/files/buckets";
import type { Dependencies } from "../../../dependencies.ts";
import type { Transaction } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import { isDatabaseUnavailable } from "../../db/unavailable.ts";
import { insertObject } from "../queries.ts";

/** A file that the server made from what a user sent. */
export interface MadeFile {
  /** The id of the new object. */
  id: string;
  bucket: BucketName;
  name: string;
  filename: string;
  contentType: string;
  ownerId: string | null;
  bytes: Buffer;
}

/**
 * Stores a file as an object and returns what `attach` returns, which runs in the transaction that inserts its row: first the bytes are
 * durable, then the row. Bytes without a row are removed by the sweep (FILE-7), at once where `attach` refuses. Throws
 * `insufficient_storage`.
 */
export async function storeMadeFile<Result>(
  { db, objects, clock }: Pick<Dependencies, "db" | "objects" | "clock">,
  { id, bytes, contentType, ownerId, ...named }: MadeFile,
  attach: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  await objects.checkSpace(bytes.length);
  await objects.put(id, bytes);
  const row = { ...named, id, content_type: contentType, owner_id: ownerId, size: bytes.length, created_at: clock.now() };
  try {
    return await transaction(db, async (tx) => {
      await insertObject(tx, row);
      return attach(tx);
    });
  } catch (error) {
    // The reply to a commit can be lost: then the row is there.
    if (!isDatabaseUnavailable(error)) await objects.remove(id).catch(() => {});
    throw error;
  }
}
