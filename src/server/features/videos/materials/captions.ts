import { randomUUID } from "node:crypto";
import { ProductError } from "#domain/errors/messages";
import { maxCaptionLanguages } from "#domain/materials/attachment";
import type { Dependencies } from "../../../dependencies.ts";
import type { Actor } from "../../../platform/audit.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { storeMadeFile } from "../../../platform/storage/uploads/made-object.ts";
import { deleteFormer, lockVideo, removeBytes } from "../files.ts";
import { auditMaterial } from "./audit.ts";
import * as queries from "./queries.ts";

export interface NewCaptions {
  file: Blob;
  /** In its canonical form. */
  language: string;
  label: string;
}

/** Returns the stored name of captions. */
export function captionsName(objectId: string): string {
  return `${objectId}.vtt`;
}

/**
 * Checks captions and stores them as WebVTT in place of the lesson's captions in their language, if it has any (FILE-13). Throws
 * what `CaptionReader` throws, `video_not_found`, `captions_full` and `insufficient_storage`.
 */
export async function saveCaptions(deps: Dependencies, actor: Actor, videoId: string, captions: NewCaptions): Promise<void> {
  const { language, label } = captions;
  const bytes = await deps.captions.toWebVtt(new Uint8Array(await captions.file.arrayBuffer()));
  const id = randomUUID();
  const file = {
    id,
    bucket: "lesson-captions",
    name: captionsName(id),
    filename: `${language}.vtt`,
    contentType: "text/vtt",
    ownerId: actor.id,
    bytes,
  } as const;
  const former = await storeMadeFile(deps, file, async (tx) => {
    const video = await lockVideo(tx, videoId);
    const replaced = await queries.findCaptions(tx, videoId, language);
    if (replaced === undefined && (await queries.countCaptions(tx, videoId)) >= maxCaptionLanguages) {
      throw new ProductError("captions_full");
    }
    await queries.upsertCaptions(tx, { video_id: videoId, language, label, object_id: id });
    await deleteFormer(tx, replaced?.object_id);
    const change = { ...(replaced && { before: audited(replaced) }), after: audited({ language, label, object_id: id }) };
    await auditMaterial(tx, actor, deps.clock.now(), "video.captions.save", video, change);
    return replaced?.object_id;
  });
  await removeBytes(deps, former);
}

/** Removes a lesson's captions in a language. Throws `video_not_found` and `captions_not_found`. */
export async function removeCaptions(deps: Dependencies, actor: Actor, videoId: string, language: string): Promise<void> {
  const removed = await transaction(deps.db, async (tx) => {
    const video = await lockVideo(tx, videoId);
    const row = await queries.deleteCaptions(tx, videoId, language);
    if (row === undefined) throw new ProductError("captions_not_found");
    await deleteFormer(tx, row.object_id);
    await auditMaterial(tx, actor, deps.clock.now(), "video.captions.remove", video, { before: audited(row) });
    return row.object_id;
  });
  await removeBytes(deps, removed);
}

/** With the object, since new captions may have the label of the former ones. */
function audited({ language, label, object_id }: Pick<queries.CaptionsRow, "language" | "label" | "object_id">) {
  return { language, label, object_id };
}
