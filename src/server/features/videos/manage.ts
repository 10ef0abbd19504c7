import type { NewVideo, Video, VideoChanges } from "#domain/api/videos";
import { ProductError } from "#domain/messages";
import { canPlay, type Viewer } from "#domain/video-access";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { violatedConstraint, violatesForeignKey, type Connection, type Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { cursorKey, decodeCursor, defaultPageSize, pageOf } from "../../platform/http/cursor.ts";
import type { Principal } from "../../platform/http/access.ts";
import { deleteObject, findObject } from "../../platform/storage/queries.ts";
import * as queries from "./queries.ts";
import type { ListedVideo, ListPosition, VideoRow } from "./queries.ts";

/** Seconds an address that plays a video is good: longer than any lesson with its pauses. */
const playSeconds = 4 * 3600;

interface VideoPage {
  items: Video[];
  next_cursor: string | null;
}

/**
 * One page of the course in its order, each video with `playable` for this viewer; `video_url` stands only where it is playable
 * and outside (VIDEO-1, VIDEO-3). Throws `invalid_input` for a foreign cursor.
 */
export async function listVideos(
  deps: Dependencies,
  viewer: Viewer,
  page: { limit?: number | undefined; cursor?: string | undefined },
): Promise<VideoPage> {
  const limit = page.limit ?? defaultPageSize;
  const after = page.cursor === undefined ? undefined : positionOf(page.cursor);
  const rows = await queries.listVideos(deps.db, limit + 1, after);
  const { items, next_cursor } = pageOf(rows, limit, (row) => [row.module, String(row.order_index), row.id]);
  return { items: items.map((row) => shown(row, viewer)), next_cursor };
}

/**
 * Adds a video with its source: a finished upload, or else an outside address. Throws `video_source_missing` for neither
 * (VIDEO-4), `upload_not_found` and `upload_used`.
 */
export async function createVideo(deps: Dependencies, actor: Actor, video: NewVideo): Promise<VideoRow> {
  const { upload_id, video_url, ...fields } = video;
  const source = newSource(upload_id, video_url);
  if (source === undefined) throw new ProductError("video_source_missing");
  const now = deps.clock.now();
  return transaction(deps.db, async (tx) => {
    await checkUpload(tx, source.object_id);
    const row = await queries
      .insertVideo(tx, { ...fields, ...source, created_at: now })
      .catch((error: unknown) => uploadTaken(error));
    await audit(tx, actor, now, "video.create", row);
    return row;
  });
}

/**
 * Changes what is given. A new source replaces the old one, whose file is deleted; null for the outside address that the video
 * has, with nothing in its place, throws `video_source_missing`, and any other null leaves the source as it is. Throws
 * `video_not_found`, `upload_not_found` and `upload_used`.
 */
export async function updateVideo(deps: Dependencies, actor: Actor, id: string, changes: VideoChanges): Promise<VideoRow> {
  const { upload_id, video_url, ...fields } = changes;
  const source = newSource(upload_id, video_url);
  const [old, changed] = await transaction(deps.db, async (tx) => {
    const before = await queries.lockVideo(tx, id);
    if (before === undefined) throw new ProductError("video_not_found");
    if (source === undefined && video_url === null && before.video_url !== null) throw new ProductError("video_source_missing");
    if (source && source.object_id !== before.object_id) await checkUpload(tx, source.object_id);
    const after = await applyChanges(tx, before, { ...fields, ...source });
    await audit(tx, actor, deps.clock.now(), "video.update", after);
    return [before, after] as const;
  });
  if (old.object_id !== changed.object_id) await removeBytes(deps, old);
  return changed;
}

/** Deletes a video and its file. Throws `video_not_found`. */
export async function removeVideo(deps: Dependencies, actor: Actor, id: string): Promise<void> {
  const removed = await transaction(deps.db, async (tx) => {
    const row = await queries.deleteVideo(tx, id);
    if (row === undefined) throw new ProductError("video_not_found");
    if (row.object_id !== null) await deleteObject(tx, row.object_id);
    await audit(tx, actor, deps.clock.now(), "video.delete", row);
    return row;
  });
  await removeBytes(deps, removed);
}

/**
 * The address that plays a video for this viewer, checked at this moment (VIDEO-3): an outside one as it is, or the path of
 * a signed link to an uploaded one, good for 4 hours. Throws `video_not_found` and `video_locked`.
 */
export async function playVideo(deps: Dependencies, viewer: Principal, id: string): Promise<Playback> {
  const video = await queries.findVideo(deps.db, id);
  if (video === undefined) throw new ProductError("video_not_found");
  if (!canPlay(viewer, video.package_type)) throw new ProductError("video_locked");
  if (video.video_url !== null) return { url: video.video_url, expires_at: secondsAfter(deps.clock.now(), playSeconds) };
  const name = video.object_id === null ? undefined : await queries.nameOfFile(deps.db, video.object_id);
  if (name === undefined) throw new ProductError("video_not_found");
  return deps.objects.sign("course-videos", name, viewer.id, playSeconds);
}

/** An outside address, or a path on our own site. */
export type Playback = { url: string; path?: never; expires_at: Date } | { path: string; url?: never; expires_at: Date };

/** Whether a viewer may play, at this moment, the video that has this file (VIDEO-3). */
export async function mayOpenVideoFile(connection: Connection, viewerId: string, objectId: string): Promise<boolean> {
  const found = await queries.findFileViewer(connection, viewerId, objectId);
  return found !== undefined && canPlay(found, found.package_type);
}

/** A video as one viewer sees it: nothing in it leads to the film of a locked one. */
export function shown(row: ListedVideo, viewer: Viewer): Video {
  const playable = canPlay(viewer, row.package_type);
  const video: Video = {
    id: row.id,
    title: row.title,
    description: row.description,
    module: row.module,
    order_index: row.order_index,
    package_type: row.package_type,
    source: row.video_url === null ? "upload" : "url",
    playable,
  };
  if (playable && row.video_url !== null) video.video_url = row.video_url;
  return video;
}

function positionOf(cursor: string): ListPosition {
  const [module, orderIndex, id] = decodeCursor(cursor, [cursorKey.text, cursorKey.number, cursorKey.id]);
  return { module, orderIndex: Number(orderIndex), id };
}

type Source = { object_id: string; video_url: null } | { object_id: null; video_url: string };

/** An upload wins over an address (HTTP contract). */
function newSource(uploadId: string | null | undefined, url: string | null | undefined): Source | undefined {
  if (uploadId != null) return { object_id: uploadId, video_url: null };
  return url == null ? undefined : { object_id: null, video_url: url };
}

async function checkUpload(tx: Transaction, objectId: string | null): Promise<void> {
  if (objectId === null) return;
  const object = await findObject(tx, objectId);
  if (object?.bucket !== "course-videos") throw new ProductError("upload_not_found");
}

async function applyChanges(tx: Transaction, before: VideoRow, changes: Partial<VideoRow>): Promise<VideoRow> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return before;
  const after = await queries.updateVideo(tx, before.id, given).catch((error: unknown) => uploadTaken(error));
  if (before.object_id !== null && before.object_id !== after.object_id) await deleteObject(tx, before.object_id);
  return after;
}

/** Two videos may reach for one upload at the same moment, or the sweep for an old one; the constraints decide. */
function uploadTaken(error: unknown): never {
  if (violatedConstraint(error) === "videos_object_id_key") throw new ProductError("upload_used");
  throw violatesForeignKey(error) ? new ProductError("upload_not_found") : error;
}

async function removeBytes(deps: Dependencies, video: VideoRow): Promise<void> {
  if (video.object_id !== null) await deps.objects.removeBytes(video.object_id);
}

function audit(tx: Transaction, actor: Actor, at: Date, action: string, row: VideoRow): Promise<void> {
  const { id, title, module, order_index, package_type, video_url, object_id } = row;
  const details = { title, module, order_index, package_type, video_url, object_id };
  return recordAudit(tx, actor, { at, action, subject: { type: "video", id }, details });
}
