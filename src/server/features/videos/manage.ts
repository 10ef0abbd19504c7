import type { NewVideo, VideoChanges } from "#domain/api/course/videos";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { auditedRow, recordAudit, type Actor, type ChangeAction, type ChangedRow } from "../../platform/audit.ts";
import { violatedConstraint, violatesForeignKey, type Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { inputHash, requireSameInput } from "../../platform/idempotency.ts";
import { lockCurrentObject } from "../../platform/storage/queries.ts";
import { deleteFormer, lockVideo, removeBytes } from "./files.ts";
import { findAllObjectIds } from "./materials/queries.ts";
import { lockCourse } from "./modules/queries.ts";
import * as queries from "./queries.ts";
import type { ListedVideo, VideoRow } from "./queries.ts";

/**
 * Adds a video and returns it, and returns the same one for the same key (VIDEO-9); its source is a finished upload, or else an outside
 * address. Throws `video_source_missing` for neither (VIDEO-4), `upload_not_found`, `upload_used` and `idempotency_key_reused`.
 */
export async function createVideo(
  deps: Dependencies,
  actor: Actor,
  video: NewVideo,
  idempotencyKey: string | undefined,
): Promise<ListedVideo> {
  const { upload_id, video_url, ...fields } = video;
  const source = newSource(upload_id, video_url);
  if (source === undefined) throw new ProductError("video_source_missing");
  const now = deps.clock.now();
  const idempotency_sha256 = inputHash({ ...fields, ...source });
  return transaction(deps.db, async (tx) => {
    await lockCourse(tx);
    const made = idempotencyKey === undefined ? undefined : await queries.findByIdempotencyKey(tx, idempotencyKey);
    if (made) {
      requireSameInput(made, idempotency_sha256);
      return queries.findListed(tx, actor.id, made.id);
    }
    const given = { ...fields, ...(await currentSource(tx, source)) };
    const row = await queries
      .insertVideo(tx, { ...given, created_at: now, idempotency_key: idempotencyKey ?? null, idempotency_sha256 })
      .catch((error: unknown) => uploadTaken(error));
    await audit(tx, actor, now, "video.create", { after: row });
    return queries.findListed(tx, actor.id, row.id);
  });
}

/**
 * Changes the given fields and returns the video. A new source replaces the old one, whose file is deleted. Null as the outside address
 * throws `video_source_missing` when the video has no other source; any other null leaves the source as it is. Throws `video_not_found`,
 * `upload_not_found` and `upload_used`.
 */
export async function updateVideo(deps: Dependencies, actor: Actor, id: string, changes: VideoChanges): Promise<ListedVideo> {
  const { upload_id, video_url, ...fields } = changes;
  const given = newSource(upload_id, video_url);
  const [old, changed] = await transaction(deps.db, async (tx) => {
    await lockCourse(tx);
    const before = await lockVideo(tx, id);
    if (given === undefined && video_url === null && before.video_url !== null) throw new ProductError("video_source_missing");
    const source = given && (await currentSource(tx, given));
    const after = await applyChanges(tx, before, { ...fields, ...source });
    await audit(tx, actor, deps.clock.now(), "video.update", { before, after });
    return [before, after] as const;
  });
  if (old.object_id !== changed.object_id) await removeBytes(deps, old.object_id);
  return queries.findListed(deps.db, actor.id, id);
}

/** Deletes a video with its files. Throws `video_not_found`. */
export async function deleteVideo(deps: Dependencies, actor: Actor, id: string): Promise<void> {
  const removed = await transaction(deps.db, async (tx) => {
    await lockCourse(tx);
    const row = await lockVideo(tx, id);
    const objectIds = await removeVideo(tx, row);
    await audit(tx, actor, deps.clock.now(), "video.delete", { before: row });
    return objectIds;
  });
  await removeBytes(deps, ...removed);
}

/** Deletes a locked video with the rows of its files, and returns their ids: their bytes go once that is committed. */
export async function removeVideo(tx: Transaction, { id, object_id, poster_object_id }: VideoRow): Promise<(string | null)[]> {
  const objectIds = [object_id, poster_object_id, ...(await findAllObjectIds(tx, id))];
  await queries.deleteVideo(tx, id);
  for (const objectId of objectIds) await deleteFormer(tx, objectId);
  return objectIds;
}

type Source = { object_id: string; video_url: null } | { object_id: null; video_url: string };

/** Returns the given source, an upload before an address; undefined when neither is given. */
function newSource(uploadId: string | null | undefined, url: string | null | undefined): Source | undefined {
  if (uploadId != null) return { object_id: uploadId, video_url: null };
  return url == null ? undefined : { object_id: null, video_url: url };
}

/** Returns a source with the object that has replaced its upload, if one has (FILE-12). Throws `upload_not_found`. */
async function currentSource(tx: Transaction, source: Source): Promise<Source> {
  if (source.object_id === null) return source;
  const object = await lockCurrentObject(tx, source.object_id);
  if (object?.bucket !== "course-videos") throw new ProductError("upload_not_found");
  return { ...source, object_id: object.id };
}

async function applyChanges(tx: Transaction, before: VideoRow, changes: Partial<VideoRow>): Promise<VideoRow> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return before;
  const after = await queries.updateVideo(tx, before.id, given).catch((error: unknown) => uploadTaken(error));
  if (before.object_id !== after.object_id) await deleteFormer(tx, before.object_id);
  return after;
}

/** Two videos may take one upload at once, or the sweep may delete it; the constraints decide. */
function uploadTaken(error: unknown): never {
  if (violatedConstraint(error) === "videos_object_id_key") throw new ProductError("upload_used");
  throw violatesForeignKey(error) ? new ProductError("upload_not_found") : error;
}

function audit(tx: Transaction, actor: Actor, at: Date, action: ChangeAction, row: ChangedRow<VideoRow>): Promise<void> {
  const { id, title } = "after" in row ? row.after : row.before;
  const details = { title, ...auditedRow(row, audited) };
  return recordAudit(tx, actor, { at, action, subject: { type: "video", id }, details });
}

function audited({ title, description, module, order_index, package_type, video_url, object_id }: VideoRow) {
  return { title, description, module, order_index, package_type, video_url, object_id };
}
