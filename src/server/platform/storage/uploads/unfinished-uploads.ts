import { eq, inArray, lt, sql } from "drizzle-orm";
import { ProductError } from "#domain/errors/messages";
import { violatesForeignKey, type Connection, type Transaction } from "../../db/database.ts";
import { lockInSpace, lockSpaces } from "../../db/locks.ts";
import { unfinishedUploads } from "../../db/schema.ts";
import { transaction } from "../../db/transaction.ts";
import type { UploadBucket } from "../bucket.ts";

/** The row of an upload before its last byte. */
export type UnfinishedUpload = typeof unfinishedUploads.$inferSelect;

/**
 * Records a new upload. Throws `uploads_unfinished` when the lengths of its owner's unfinished uploads, and of finished ones
 * that count like them, would be more than `maxBytes` together (FILE-8), and `not_signed_in` when the owner's account is gone.
 */
export async function insertUnfinished(
  connection: Connection,
  bucket: UploadBucket,
  upload: Omit<UnfinishedUpload, "bucket">,
  maxBytes: number,
): Promise<void> {
  try {
    await transaction(connection, async (tx) => {
      await lockInSpace(tx, lockSpaces.newUpload, upload.owner_id);
      const unfinished = await unfinishedBytes(tx, upload.owner_id);
      // Last, so that a file that is finished in between is counted twice rather than never.
      const unused = (await bucket.unusedBytes?.(tx, upload.owner_id)) ?? 0;
      if (unfinished + unused + upload.size > maxBytes) throw new ProductError("uploads_unfinished", { retryAfter: 3600 });
      await tx.insert(unfinishedUploads).values({ ...upload, bucket: bucket.name });
    });
  } catch (error) {
    throw violatesForeignKey(error) ? new ProductError("not_signed_in") : error;
  }
}

async function unfinishedBytes(tx: Transaction, ownerId: string): Promise<number> {
  const [row] = await tx
    .select({ bytes: sql`coalesce(sum(${unfinishedUploads.size}), 0)`.mapWith(Number) })
    .from(unfinishedUploads)
    .where(eq(unfinishedUploads.owner_id, ownerId));
  // Stryker disable next-line OptionalChaining: a sum always returns a row.
  return row?.bytes ?? 0;
}

export async function findUnfinished(connection: Connection, id: string): Promise<UnfinishedUpload | undefined> {
  const [row] = await connection.select().from(unfinishedUploads).where(eq(unfinishedUploads.id, id));
  return row;
}

/** Returns the ids of at most `limit` uploads that began before a time, oldest first. */
export async function unfinishedBefore(connection: Connection, before: Date, limit: number): Promise<string[]> {
  const rows = await connection
    .select({ id: unfinishedUploads.id })
    .from(unfinishedUploads)
    .where(lt(unfinishedUploads.created_at, before))
    .orderBy(unfinishedUploads.created_at)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Deletes the rows of unfinished uploads; ids without a row are ignored. */
export async function deleteUnfinished(connection: Connection, ...ids: string[]): Promise<void> {
  await connection.delete(unfinishedUploads).where(inArray(unfinishedUploads.id, ids));
}
