import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { deleteObject } from "../../platform/storage/queries.ts";
import { lockById, type VideoRow } from "./queries.ts";

/** Returns a lesson, locked until the transaction ends. Throws `video_not_found`. */
export async function lockVideo(tx: Transaction, id: string): Promise<VideoRow> {
  const video = await lockById(tx, id);
  if (video === undefined) throw new ProductError("video_not_found");
  return video;
}

/** Deletes the row of a file that a lesson no longer has. */
export async function deleteFormer(tx: Transaction, objectId: string | null | undefined): Promise<void> {
  if (objectId != null) await deleteObject(tx, objectId);
}

/** Removes the bytes of files whose rows are deleted. A failure is not reported to the caller: the hourly sweep repeats the removal. */
export async function removeBytes({ objects }: Dependencies, ...objectIds: (string | null | undefined)[]): Promise<void> {
  for (const id of objectIds) if (id != null) await objects.remove(id).catch(() => {});
}
