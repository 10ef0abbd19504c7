import { ProductError } from "#domain/errors/messages";
import { maxAttachments } from "#domain/materials/attachment";
import { canPlay } from "#domain/video-access";
import type { Dependencies } from "../../../dependencies.ts";
import type { Actor } from "../../../platform/audit.ts";
import { violatedConstraint } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Principal } from "../../../platform/http/access.ts";
import type { SignedLink } from "../../../platform/storage/downloads/signed-links.ts";
import { lockCurrentObject } from "../../../platform/storage/queries.ts";
import { deleteFormer, lockVideo, removeBytes } from "../files.ts";
import { auditMaterial } from "./audit.ts";
import * as queries from "./queries.ts";

/** Seconds a link to an attachment is valid: 100 MB on a slow line, with a pause. */
const openSeconds = 3600;

/**
 * Attaches a finished upload to a lesson that does not have it yet (FILE-14). Throws `video_not_found`, `upload_not_found`, `upload_used` when
 * another lesson has it, and `attachments_full`.
 */
export async function addAttachment(deps: Dependencies, actor: Actor, videoId: string, uploadId: string): Promise<void> {
  const now = deps.clock.now();
  await transaction(deps.db, async (tx) => {
    const video = await lockVideo(tx, videoId);
    const object = await lockCurrentObject(tx, uploadId);
    if (object?.bucket !== "lesson-attachments") throw new ProductError("upload_not_found");
    // A retry, whose first reply was lost.
    if (await queries.isAttached(tx, videoId, object.id)) return;
    if ((await queries.countAttachments(tx, videoId)) >= maxAttachments) throw new ProductError("attachments_full");
    const row = await queries
      .insertAttachment(tx, { video_id: videoId, object_id: object.id, created_at: now })
      .catch((error: unknown) => uploadTaken(error));
    const after = { attachment_id: row.id, filename: object.filename };
    await auditMaterial(tx, actor, now, "video.attachment.add", video, { after });
  });
}

/** Removes an attachment and its file. Throws `video_not_found` and `attachment_not_found`. */
export async function removeAttachment(deps: Dependencies, actor: Actor, videoId: string, id: string): Promise<void> {
  const removed = await transaction(deps.db, async (tx) => {
    const video = await lockVideo(tx, videoId);
    const row = await queries.findAttachment(tx, videoId, id);
    if (row === undefined) throw new ProductError("attachment_not_found");
    await queries.deleteAttachment(tx, id);
    await deleteFormer(tx, row.object_id);
    const before = { attachment_id: id, filename: row.filename };
    await auditMaterial(tx, actor, deps.clock.now(), "video.attachment.remove", video, { before });
    return row;
  });
  await removeBytes(deps, removed.object_id);
}

/**
 * Returns a signed link that downloads an attachment, valid for an hour. The viewer's tier is checked now, and at every request of the
 * link. Throws `attachment_not_found` and `video_locked`.
 */
export async function openAttachment(deps: Dependencies, viewer: Principal, videoId: string, id: string): Promise<SignedLink> {
  const found = await queries.findAttachment(deps.db, videoId, id);
  if (found === undefined) throw new ProductError("attachment_not_found");
  if (!canPlay(viewer, found.package_type)) throw new ProductError("video_locked");
  return deps.links.sign("lesson-attachments", found.name, viewer, openSeconds);
}

/** Two lessons may take one upload at once; the constraint decides. */
function uploadTaken(error: unknown): never {
  throw violatedConstraint(error) === "video_attachments_object_id_key" ? new ProductError("upload_used") : error;
}
