import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit, type Actor, type AuditedChange, type ChangeAction } from "../../../platform/audit.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { deleteObject } from "../../../platform/storage/queries.ts";
import { lockById, type VideoRow } from "../queries.ts";

/** Returns a lesson whose materials nobody else changes until the transaction ends. Throws `video_not_found`. */
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

/** Writes a change of a lesson's materials to the audit log (ADMIN-4). */
export function auditMaterial(
  tx: Transaction,
  actor: Actor,
  at: Date,
  action: ChangeAction,
  { id, title }: VideoRow,
  change: AuditedChange,
): Promise<void> {
  return recordAudit(tx, actor, { at, action, subject: { type: "video", id }, details: { title, ...change } });
}
